import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useReadNotificationsOf } from '#web/features/page-head/use-read-notifications.ts'
import { ringsQuery } from '#web/features/trades/ring-queries.ts'
import { Rings } from '#web/features/trades/rings.tsx'
import { myWantsQuery } from '#web/features/wants/want-queries.ts'
import layout from '#web/styles/layout.module.css'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { SelectField } from '#web/ui/field.tsx'
import { Page } from '#web/ui/page.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { MatchCard } from './match-card.tsx'
import { matchPagesQuery } from './match-queries.ts'

const route = getRouteApi('/_members/matches')

export function MatchesScreen() {
  const { want } = route.useSearch()
  useReadNotificationsOf('match', 'swap', 'ring')
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`matches`} back={<BackLink to="/my-listings" />} />
          <WantFilter want={want} />
        </>
      }
    >
      {want === undefined ? <RingsAndMatches /> : <Matches key={want} want={want} />}
    </Page>
  )
}

/** Shows no match before the rings are loaded, because they would push it down. */
function RingsAndMatches() {
  const { data: rings = [], isFetched, failureCount } = useQuery(ringsQuery)
  if (!isFetched && failureCount === 0) return <RowsSkeleton count={5} />
  return (
    <>
      <Rings rings={rings} />
      <Matches want={undefined} />
    </>
  )
}

/** A select that filters the matches by want. */
function WantFilter({ want }: { want: number | undefined }) {
  const navigate = route.useNavigate()
  const { data: wants = [] } = useQuery(myWantsQuery)
  const choices = wants.filter(({ id, listing_count }) => id === want || (listing_count ?? 0) > 0)
  if (choices.length < 2 && want === undefined) return null
  return (
    <div className={layout.above4}>
      <SelectField
        label={t`My want`}
        options={[
          { value: '', label: t`all my wants` },
          ...choices.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        value={want ?? ''}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { want: value === '' ? undefined : Number(value) }, replace: true })
        }
      />
    </div>
  )
}

function Matches({ want }: { want: number | undefined }) {
  const matches = useInfiniteList(matchPagesQuery(want))
  return (
    <PagedList
      list={matches}
      skeleton={<RowsSkeleton count={5} />}
      empty={<NoMatches isFiltered={want !== undefined} />}
      failure={t`Failed to load data`}
      of={t`matches`}
    >
      {(items) => (
        <ul className={layout.ruleAbove}>
          {items.map((match) => (
            <MatchCard key={`${match.want.id} ${match.listing.id}`} match={match} />
          ))}
        </ul>
      )}
    </PagedList>
  )
}

function NoMatches({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty
      art={noListings}
      text={isFiltered ? t`Nothing fits this want yet.` : t`Nothing fits your wish list yet.`}
    >
      {isFiltered ? (
        <ButtonLink variant="secondary" to="/matches">
          {t`All my wants`}
        </ButtonLink>
      ) : (
        <ButtonLink to="/post-want">{t`Add wanted items`}</ButtonLink>
      )}
    </Empty>
  )
}
