import { Link } from '@tanstack/react-router'
import interested from '#web/features/matches/interested-link.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'

type RequestsLinkProps = { listing: { id: number; title: string }; count: number }

/** Links to the requests for the member's own listing, with their number. */
export function RequestsLink({ listing: { id, title }, count }: RequestsLinkProps) {
  const words = count === 1 ? '1 request' : `${count} requests`
  return (
    <Link
      className={classNames(text.link, text.standing, interested.interested)}
      to="/listings/$id"
      params={{ id: String(id) }}
      hash="requests"
      aria-label={`${words}: ${title}`}
    >
      <Icon name="tag" size={16} />
      {words}
    </Link>
  )
}
