import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, getRouteApi, Navigate, useHydrated } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { categoryName } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { isNotFound } from '#web/api/api-error.ts'
import { Gallery } from '#web/features/images/gallery.tsx'
import { DeleteListing } from '#web/features/listing-editor/delete-listing.tsx'
import { RelistListing } from '#web/features/listing-editor/relist-listing.tsx'
import { leftText } from '#web/features/listings/amount.ts'
import { categoryLabel } from '#web/features/listings/categories.ts'
import { bandText } from '#web/features/listings/distance.ts'
import { endsIn } from '#web/features/listings/end-time.ts'
import { listingQuery } from '#web/features/listings/listing-queries.ts'
import { ListingState } from '#web/features/listings/listing-state.tsx'
import { ListingThumbnail } from '#web/features/listings/listing-thumbnail.tsx'
import { pictureSizes } from '#web/features/listings/picture-sizes.ts'
import { PriceTag } from '#web/features/listings/price-tag.tsx'
import { readyFrom } from '#web/features/listings/ready.ts'
import { fullLocation } from '#web/features/members/location.ts'
import { LocationLine } from '#web/features/members/location-line.tsx'
import { MemberLink } from '#web/features/members/member-link.tsx'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { unknownMember } from '#web/features/members/username.tsx'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { Bell } from '#web/features/page-head/bell.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import { ReportButton } from '#web/features/reports/report-button.tsx'
import { ListingTrade } from '#web/features/trades/listing-trade.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Row } from '#web/ui/layout.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { Page } from '#web/ui/page.tsx'
import { CardsSkeleton } from '#web/ui/skeleton.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Time, timeAgo } from '#web/ui/time.tsx'
import { useRouteRetry } from '#web/ui/use-route-retry.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './listing-screen.module.css'
import { ShareListing } from './share-listing.tsx'

const route = getRouteApi('/_members/listings/$id')

// The conversation loads after the listing.
const ListingChat = lazyExport(() => import('#web/features/messages/listing-chat.tsx'), 'ListingChat')

const WantedBy = lazyExport(() => import('#web/features/matches/wanted-by.tsx'), 'WantedBy')

const Requests = lazyExport(() => import('#web/features/trades/requests.tsx'), 'Requests')

export function ListingScreen() {
  const { id } = route.useParams()
  const me = useStoredLogin()?.user.id
  const isHydrated = useHydrated()
  const chat = useRef<HTMLDivElement>(null)
  const { data: listing, error } = useSuspenseQuery(listingQuery(id))
  useReadNotificationsAbout('listing', [listing])
  if (isNotFound(error)) return <Navigate to="/not-found" replace />
  return (
    <Page>
      <article className={css.listing}>
        <Picture listing={listing} />
        <div className={css.info}>
          <Facts listing={listing} isMine={listing.owner_id === me} />
          <Seller listing={listing} isMine={listing.owner_id === me} />
        </div>
        <Description description={listing.description} />
        {listing.owner_id === me ? (
          <div className={css.side}>
            {listing.is_hidden && <Hidden isHeld={listing.is_held} />}
            <Ending listing={listing} />
            <OwnActions listing={listing} />
            {isHydrated && (
              <>
                <Requests key={listing.id} listingId={listing.id} />
                <WantedBy key={listing.id} listingId={listing.id} />
              </>
            )}
          </div>
        ) : (
          <>
            <ContactBar listing={listing} onWrite={() => chat.current?.querySelector('textarea')?.focus()} />
            <div className={css.side} ref={chat}>
              <ListingTrade listing={listing} />
              <Cluster gap="3" className={css.actions}>
                <ShareListing listing={listing} />
                <ReportButton about={{ listing_id: listing.id }} />
              </Cluster>
              {isHydrated && <ListingChat key={listing.id} listing={listing} />}
            </div>
          </>
        )}
      </article>
    </Page>
  )
}

/** On a phone, the price and a link to the conversation, which is below the fold. */
function ContactBar({ listing, onWrite }: { listing: Listing; onWrite: () => void }) {
  const name = listing.owner_username || unknownMember()
  return (
    <Cluster gap="3" className={css.contact}>
      <PriceTag listing={listing} />
      <ListingTrade listing={listing} inBar />
      {/* The hash focuses the composer once the conversation is loaded. Later presses focus it by `onWrite`. */}
      <ButtonLink
        variant="secondary"
        size="small"
        to="."
        hash="chat"
        hashScrollIntoView={false}
        resetScroll={false}
        replace
        onClick={onWrite}
      >
        <span>
          <Trans>
            Write<VisuallyHidden> to {name}</VisuallyHidden>
          </Trans>
        </span>
      </ButtonLink>
    </Cluster>
  )
}

const askToRelistWithinMs = 2 * 24 * 60 * 60_000

/** Tells the owner that a first listing waits for the desk. */
/** Says to the owner why nobody else sees the listing. */
function Hidden({ isHeld }: { isHeld: boolean }) {
  return (
    <p className={layout.above5}>
      {isHeld
        ? t`A volunteer looks at your first listings before they are shown. Until then only you see this one.`
        : t`The volunteers of this site have hidden this listing. Only you see it. Your notifications say why.`}
    </p>
  )
}

/** Asks the owner to relist a listing that ends soon or has ended. */
function Ending({ listing }: { listing: Listing }) {
  if (Date.parse(listing.expires_at) - Date.now() > askToRelistWithinMs) return null
  return (
    <Cluster gap="3" className={classNames(layout.above5, css.ending)}>
      <p>
        {listing.is_expired
          ? t`This listing has ended. Only you see it.`
          : t`This listing ends soon. Is it still there?`}
      </p>
      <RelistListing listing={listing} />
    </Cluster>
  )
}

function OwnActions({ listing }: { listing: Listing }) {
  const [failure, setFailure] = useState<string>()
  return (
    <Cluster gap="3" className={css.actions}>
      <FailureBanner className={css.failure} text={failure} onDismiss={() => setFailure(undefined)} />
      <ShareListing listing={listing} />
      <ButtonLink
        variant="secondary"
        size="small"
        to="/listings/$id/edit"
        params={{ id: String(listing.id) }}
        state={{ listing }}
      >
        <Icon name="edit" size={20} />
        {t`edit`}
      </ButtonLink>
      <DeleteListing listing={listing} onFailure={setFailure} />
    </Cluster>
  )
}

function Facts({ listing, isMine }: { listing: Listing; isMine: boolean }) {
  const category = categoryName(listing.category_id)
  const left = leftText(listing)
  const ready = readyFrom(listing)
  return (
    <>
      <Cluster as="p" className={css.meta}>
        <Row as="span" gap="2" className={css.category}>
          <Icon name={category} size={22} />
          {categoryLabel(category)}
        </Row>
        {listing.is_public && (
          <Tag icon="globe" color="green">
            {t({ message: 'public', context: 'listing' })}
          </Tag>
        )}
        <ListingState listing={listing} />
        <span className={classNames(text.overline, css.number)}>{t`No. ${{ id: listing.id }}`}</span>
      </Cluster>
      <h1 tabIndex={-1} dir="auto">
        {listing.title}
      </h1>
      <Cluster gap="3" className={css.price}>
        <PriceTag listing={listing} />
        {left !== undefined && <span dir="auto">{left}</span>}
        {ready !== undefined && <span>{ready}</span>}
      </Cluster>
      <p className={classNames(text.muted, text.body2)}>
        <Trans>
          Posted <Time isDay at={listing.created_at} format={timeAgo} />
        </Trans>
        {isMine && (
          <>
            {' · '}
            <Time isDay at={listing.expires_at} format={endsIn} />
          </>
        )}
      </p>
    </>
  )
}

function Seller({ listing, isMine }: { listing: Listing; isMine: boolean }) {
  const seller = useQuery(publicMemberQuery(listing.owner_id))
  const location = seller.data && fullLocation(seller.data)
  const band = bandText(listing)
  return (
    <Row className={css.seller}>
      <Avatar
        id={listing.owner_id}
        name={listing.owner_username || unknownMember()}
        picture={listing.owner_profile_picture}
      />
      <div>
        {listing.owner_username === '' ? (
          <span>{unknownMember()}</span>
        ) : (
          <MemberLink id={listing.owner_id} name={listing.owner_username} standalone />
        )}
        <LocationLine>
          <bdi>{seller.isPending ? '\u00a0' : location || t`Location not provided`}</bdi>
          {!isMine && band !== undefined && ` · ${band}`}
        </LocationLine>
      </div>
    </Row>
  )
}

/** Renders the description. Empty lines separate paragraphs; a single line break stays one. */
function Description({ description }: { description: string }) {
  const paragraphs = description.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
  return (
    <div className={css.description}>
      {paragraphs.length === 0 ? (
        <p className={css.none}>{t`No description provided`}</p>
      ) : (
        // The order of the paragraphs never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        paragraphs.map((paragraph, index) => <p key={index}>{paragraph}</p>)
      )}
    </div>
  )
}

function Picture({ listing }: { listing: Listing }) {
  return (
    <div className={css.picture}>
      <Row gap="0" align="stretch" className={css.bar}>
        <BackLink to="/listings" variant="paper" />
        <Bell variant="paper" />
      </Row>
      {listing.images.length > 0 ? (
        <Gallery
          photos={listing.images}
          title={listing.title}
          className={css.thumbnail}
          sizes={pictureSizes.listing}
        />
      ) : (
        <ListingThumbnail listing={listing} className={css.thumbnail} sizes={pictureSizes.listing} eager />
      )}
    </div>
  )
}

export function ListingLoading() {
  return (
    <Page>
      <h1>
        <VisuallyHidden>{t`Listing`}</VisuallyHidden>
      </h1>
      <div className={css.loading}>
        <CardsSkeleton count={1} />
      </div>
    </Page>
  )
}

export function ListingNotLoaded({ reset }: ErrorComponentProps) {
  const tryAgain = useRouteRetry({ reset })
  return (
    <Page column>
      <MemberHead title={t`listing`} back={<BackLink to="/listings" />} />
      <div className={css.failed}>
        <ErrorState text={t`Failed to fetch listing details. Please try again later.`} onRetry={tryAgain} />
      </div>
    </Page>
  )
}
