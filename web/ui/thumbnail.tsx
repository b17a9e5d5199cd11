import { useHydrated } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import css from './thumbnail.module.css'

export type ThumbnailPicture = {
  src: string
  srcset?: string | undefined
  width?: number | undefined
  height?: number | undefined
  /** A tiny, blurred image as a data address, shown until the picture is there. */
  placeholder?: string | null | undefined
}

type ThumbnailProps = {
  alt: string
  picture: ThumbnailPicture
  /** How wide the thumbnail is, as in `<img sizes>`. */
  sizes: string
  /** In the first screen: fetched at once, before the others. */
  eager?: boolean
  className?: string | undefined
  /** Lies over the thumbnail, such as a tag. */
  children?: ReactNode
}

/** Any picture: square, filled, with an inner line. */
export function Thumbnail({ alt, picture, sizes, eager = false, className, children }: ThumbnailProps) {
  const [loaded, setLoaded] = useState<string>()
  const { src, srcset, width, height, placeholder } = picture
  const isHydrated = useHydrated()
  // The content security policy lets only scripts style.
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
        // It may have come with the page, before anybody listened.
        ref={(image) => {
          if (image?.complete) setLoaded(src)
        }}
        onLoad={() => setLoaded(src)}
      />
      {children}
    </div>
  )
}
