import { Link } from '@tanstack/react-router'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import css from './market-links.module.css'
import type { SearchAddress } from './search-address.ts'

/** The same search in the marketplace, where there is more to choose by. */
export function MarketLinks({ search: { category, q } }: { search: SearchAddress }) {
  const search = { ...(category && { category }), ...(q && { q }) }
  const look = classNames(text.link, text.standing)
  return (
    <p className={css.links}>
      marketplace:{' '}
      <Link to="/my-friend-listing" search={search} className={look}>
        friend's
      </Link>
      <Link to="/listings" search={search} className={look}>
        public
      </Link>
    </p>
  )
}
