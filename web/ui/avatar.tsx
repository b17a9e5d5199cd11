import { useState } from 'react'
import css from './avatar.module.css'
import { classNames } from './class-names.ts'
import { pictureUrl } from './picture-url.ts'

type AvatarProps = {
  id: number
  name: string
  /** An absolute URL, or a path below /api/. */
  picture: string | null | undefined
  size?: 'xs' | 'sm' | 'md' | 'lg'
}

const sides = { xs: 28, sm: 50, md: 80, lg: 230 } as const

/** Shows a profile photo or the initial. Hidden from screen readers, because the name is next to it. */
export function Avatar({ id, name, picture, size = 'sm' }: AvatarProps) {
  const src = picture ? pictureUrl(picture) : undefined
  const [broken, setBroken] = useState<string>()
  const shown = src !== undefined && src !== broken
  const className = classNames(css.avatar, css[size], css[`ground${(id % 6) + 1}`])
  return (
    <span className={className} aria-hidden="true">
      {shown ? (
        <img
          src={src}
          alt=""
          width={sides[size]}
          height={sides[size]}
          loading="lazy"
          onError={() => setBroken(src)}
        />
      ) : (
        Array.from(name)[0]
      )}
    </span>
  )
}
