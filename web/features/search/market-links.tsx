import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster } from '#web/ui/layout.tsx'
import css from './market-links.module.css'
import type { SearchAddress } from './search-address.ts'

/** Links to the same search in the marketplace, which has more filters. */
export function MarketLinks({ search: { category, q } }: { search: SearchAddress }) {
  const search = { category, q }
  const className = classNames(text.link, text.standalone)
  return (
    <Cluster as="p" className={css.links}>
      <span>{t`marketplace:`}</span>
      <Link to="/my-friend-listing" search={search} className={className}>
        {t`friend's`}
      </Link>
      <Link to="/listings" search={search} className={className}>
        {t({ message: 'public', context: 'listings' })}
      </Link>
    </Cluster>
  )
}
