import { useState } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import css from './photo-preview.module.css'
import type { ListedPhoto } from './photo-state.ts'
import { useObjectUrl } from './use-object-url.ts'

type PhotoPreviewProps = {
  photo: ListedPhoto
  alt: string
  /** The width of the uploaded photo, as in `<img sizes>`. */
  sizes: string
}

/** Shows the prepared file, or the uploaded photo: the browser would stall while it decodes a large original. If the browser can not display the file, shows its name until it is uploaded. */
export function PhotoPreview({ photo: { file, image, isPrepared }, alt, sizes }: PhotoPreviewProps) {
  const url = useObjectUrl(isPrepared ? file : undefined)
  const [broken, setBroken] = useState<string>()
  if (url !== undefined && url !== broken)
    return <img className={css.image} src={url} alt={alt} draggable={false} onError={() => setBroken(url)} />
  if (image !== undefined && (file === undefined || url !== undefined))
    return (
      <img
        className={css.image}
        src={image.src}
        srcSet={image.srcset}
        sizes={sizes}
        alt={alt}
        draggable={false}
      />
    )
  if (url === undefined) return null
  return (
    <p className={css.unknown}>
      <Icon name="camera" size={24} />
      <span>{file?.name}</span>
    </p>
  )
}
