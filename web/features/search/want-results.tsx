import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type CategoryId, categoryName } from '#contract/constants.ts'
import type { WantResult } from '#contract/wants.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { categoryLabel } from '#web/features/listings/categories.ts'
import { Username } from '#web/features/members/username.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import css from './result-rows.module.css'
import { wantResultsQuery } from './search-queries.ts'

export function WantResults({
  q,
  category_id,
}: {
  q: string | undefined
  category_id: CategoryId | undefined
}) {
  const found = useInfiniteList(wantResultsQuery(q, category_id))
  return (
    <PagedList
      list={found}
      skeleton={<RowsSkeleton count={6} />}
      empty={<NoWants />}
      failure={t`Failed to load data`}
      of={t`wants`}
    >
      {(items) => (
        <ul>
          {items.map((want) => (
            <WantResultRow key={want.id} want={want} />
          ))}
        </ul>
      )}
    </PagedList>
  )
}

function NoWants() {
  return (
    <Empty art={noListings} text={t`Nobody wants this at the moment.`}>
      <ButtonLink variant="secondary" to="/listings/new">
        {t`List what you have`}
      </ButtonLink>
    </Empty>
  )
}

/** A want as a link to the profile of its member. */
function WantResultRow({ want: { title, category_id, user } }: { want: WantResult }) {
  const category = categoryName(category_id)
  return (
    <li>
      <Link className={css.row} to="/seller/$id" params={{ id: String(user.id) }} search={{ tab: 'want' }}>
        <Avatar id={user.id} name={user.username} picture={user.profile_picture} />
        <span className={css.text}>
          <span className={css.name} dir="auto">
            {title}
          </span>
          <span className={css.note}>
            <Trans>
              wanted by <Username name={user.username} />
            </Trans>
          </span>
        </span>
        <span className={css.kind}>
          <Icon name={category} size={20} />
          {categoryLabel(category)}
        </span>
      </Link>
    </li>
  )
}
