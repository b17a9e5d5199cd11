import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'

/** Links to what the desk knows of a member. */
export function DeskMemberLink({ id, children }: { id: number; children: ReactNode }) {
  return (
    <Link
      to="/desk/members/$id"
      params={{ id: String(id) }}
      className={classNames(text.link, text.standalone)}
    >
      {children}
    </Link>
  )
}
