import type { ReactNode } from 'react'
import { useAnnounced } from './announcements.ts'
import css from './empty.module.css'
import { Stack } from './layout.tsx'

type EmptyProps = {
  /** The URL of a drawing. */
  art: string
  text: string
  /** Buttons or links to go on. */
  children?: ReactNode
}

/** Shown instead of an empty list. Screen readers announce it. */
export function Empty({ art, text, children }: EmptyProps) {
  useAnnounced(text)
  return (
    <Stack align="center" className={css.empty}>
      <img src={art} alt="" width="320" height="240" />
      <p>{text}</p>
      {children}
    </Stack>
  )
}
