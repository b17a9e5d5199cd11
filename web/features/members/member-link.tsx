import { Link } from '@tanstack/react-router'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Username } from './username.tsx'

type MemberLinkProps = {
  id: number
  name: string
  /** The tab of the member's screen. */
  tab?: 'want'
  /** True outside of running text. */
  standalone?: boolean
  className?: string | undefined
}

/** Links a member's name to their screen. */
export function MemberLink({ id, name, tab, standalone = false, className }: MemberLinkProps) {
  return (
    <Link
      className={classNames(text.link, standalone ? text.standalone : text.inlineTarget, className)}
      to="/seller/$id"
      params={{ id: String(id) }}
      search={{ tab }}
    >
      <span>
        <Username name={name} />
      </span>
    </Link>
  )
}
