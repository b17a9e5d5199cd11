import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type Listing, setVisibility } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useAction } from '#web/api/use-action.ts'
import { RelistListing } from '#web/features/listing-editor/relist-listing.tsx'
import { endsIn } from '#web/features/listings/end-time.ts'
import { updateCachedListing } from '#web/features/listings/listing-queries.ts'
import { ListingState } from '#web/features/listings/listing-state.tsx'
import { ListingThumbnail } from '#web/features/listings/listing-thumbnail.tsx'
import { PriceTag } from '#web/features/listings/price-tag.tsx'
import { interestedText } from '#web/features/matches/interested-text.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Stack } from '#web/ui/layout.tsx'
import { Leader } from '#web/ui/leader.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Time } from '#web/ui/time.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './listing-row.module.css'
import { SectionLink } from './section-link.tsx'

const showEndWithinMs = 7 * 24 * 60 * 60_000

/** Returns whether the row says when the listing ends. */
export function showsEnd({ expires_at }: Listing): boolean {
  return Date.parse(expires_at) - Date.now() < showEndWithinMs
}

type ListingRowProps = { listing: Listing; interestedCount: number }

/** The row of an own listing: a link, a switch for its visibility, and a button that relists it if it has ended. */
export function ListingRow({ listing, interestedCount }: ListingRowProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { show } = useSearch({ from: '/_members/my-listings' })
  const visibility = useAction(async (is_public: boolean) => {
    const params = { id: listing.id }
    const changed = await call(client, setVisibility, { params, body: { is_public } })
    await updateCachedListing(client, changed)
    // With a filter the changed row disappears, so a toast confirms the change.
    if (show !== undefined)
      toasts.show(changed.is_public ? t`Listing is public now` : t`Listing is private now`)
  })
  return (
    <li className={classNames(layout.listItem, css.row)}>
      <ListingThumbnail listing={listing} sizes="64px" className={css.thumbnail} />
      <Stack gap="2px" align="start" className={css.text}>
        <Link
          className={classNames(text.plainLink, css.title)}
          to="/listings/$id"
          params={{ id: String(listing.id) }}
          dir="auto"
        >
          {listing.title}
        </Link>
        <Leader onlyWide />
        <span className={css.terms}>
          <span className={css.states}>
            <ListingState listing={listing} />
          </span>
          <PriceTag listing={listing} />
        </span>
        <Notes listing={listing} interestedCount={interestedCount} />
        <ActionFailure className={css.failure}>
          {visibility.isError && t`Not changed. Please try again.`}
        </ActionFailure>
      </Stack>
      {!listing.is_expired && (
        <div className={css.switch}>
          <Switch
            label={t({ message: 'public', context: 'listing' })}
            name={t`public: ${{ title: listing.title }}`}
            checked={listing.is_public}
            pending={visibility.isPending}
            onChange={(is_public) => visibility.mutate(is_public)}
          />
        </div>
      )}
    </li>
  )
}

/** Says whether the desk has hidden the listing and when it ends, and links to the members who request or want it. */
function Notes({ listing, interestedCount }: ListingRowProps) {
  const requests = listing.request_count ?? 0
  return (
    <>
      {listing.is_hidden && (
        <span className={classNames(text.muted, css.ends)}>
          {listing.is_held ? t`waits to be shown` : t`hidden by volunteers`}
        </span>
      )}
      {showsEnd(listing) && (
        <span className={classNames(text.muted, css.ends)}>
          <Time isDay at={listing.expires_at} format={endsIn} />
        </span>
      )}
      {listing.is_expired && (
        <div className={css.relist}>
          <RelistListing listing={listing} />
        </div>
      )}
      {requests > 0 && (
        <span className={css.members}>
          <SectionLink listing={listing} section="requests" icon="tag">
            {plural(requests, { one: '# request', other: '# requests' })}
          </SectionLink>
        </span>
      )}
      {interestedCount > 0 && (
        <span className={css.members}>
          <SectionLink listing={listing} section="wanted" icon="friends">
            {interestedText(interestedCount)}
          </SectionLink>
        </span>
      )}
    </>
  )
}
