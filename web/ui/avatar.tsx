import { useState } from 'react'
import css from './avatar.module.css'
import { classNames } from './class-names.ts'

type AvatarProps = {
  id: number
  name: string
  /** An absolute address, or a path served under /api/. */
  picture: string | null | undefined
  size?: 'xs' | 'sm' | 'md' | 'lg'
}

const sides = { xs: 28, sm: 50, md: 80, lg: 230 } as const

/** Decoration beside a name that is written out: screen readers pass over it. */
export function Avatar({ id, name, picture, size = 'sm' }: AvatarProps) {
  const src = picture ? pictureUrl(picture) : undefined
  const [broken, setBroken] = useState<string>()
  const shown = src !== undefined && src !== broken
  const look = classNames(css.avatar, css[size], css[`ground${(id % 6) + 1}`])
  return (
    <span className={look} aria-hidden="true">
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

function pictureUrl(picture: string): string {
  return /^(?:https?:|blob:|data:|\/)/.test(picture) ? picture : `/api/${picture}`
}
