import { useHydrated } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import css from './thumbnail.module.css'

export type ThumbnailPicture = {
  src: string
  srcset?: string | undefined
  width?: number | undefined
  height?: number | undefined
  /** A tiny blurred image as a `data:` URL, shown until the picture is loaded. */
  placeholder?: string | null | undefined
}

type ThumbnailProps = {
  alt: string
  picture: ThumbnailPicture
  /** The width of the thumbnail, as in `<img sizes>`. */
  sizes: string
  /** Loads the picture at once with a high priority, because it is visible without scrolling. */
  eager?: boolean
  className?: string | undefined
  /** An overlay on the thumbnail, such as a tag. */
  children?: ReactNode
}

/** A square picture with an inner border. */
export function Thumbnail({ alt, picture, sizes, eager = false, className, children }: ThumbnailProps) {
  const [loaded, setLoaded] = useState<string>()
  const { src, srcset, width, height, placeholder } = picture
  const isHydrated = useHydrated()
  // The content security policy forbids `style` attributes in the server's HTML.
  const blur =
    isHydrated && placeholder && loaded !== src ? { backgroundImage: `url("${placeholder}")` } : undefined
  return (
    <div className={classNames(css.thumbnail, className)}>
      <img
        key={src}
        alt={alt}
        src={src}
        srcSet={srcset}
        sizes={srcset === undefined ? undefined : sizes}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        style={blur}
        // It may have loaded before hydration added `onLoad`.
        ref={(image) => {
          if (image?.complete) setLoaded(src)
        }}
        onLoad={() => setLoaded(src)}
      />
      {children}
    </div>
  )
}
