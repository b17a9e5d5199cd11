import { Link } from '@tanstack/react-router'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './interested-link.module.css'
import { interestedText } from './interested-text.ts'

type InterestedLinkProps = {
  listing: { id: number; title: string }
  count: number
}

/** Shows how many members want an own listing, as a link to them. */
export function InterestedLink({ listing: { id, title }, count }: InterestedLinkProps) {
  const interested = interestedText(count)
  return (
    <Link
      className={classNames(text.link, text.standing, css.interested)}
      to="/listings/$id"
      params={{ id: String(id) }}
      hash="wanted"
      aria-label={`${interested}: ${title}`}
    >
      <Icon name="friends" size={16} />
      {interested}
    </Link>
  )
}
