import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Match } from '#contract/matches.ts'
import { useAction } from '#web/api/use-action.ts'
import { bandText } from '#web/features/listings/distance.ts'
import { ListingState } from '#web/features/listings/listing-state.tsx'
import { ListingThumbnail } from '#web/features/listings/listing-thumbnail.tsx'
import { PriceTag } from '#web/features/listings/price-tag.tsx'
import { MemberLink } from '#web/features/members/member-link.tsx'
import { unknownMember } from '#web/features/members/username.tsx'
import { ProposeSwap } from '#web/features/trades/propose-swap.tsx'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster, Grid, Row } from '#web/ui/layout.tsx'
import { Leader } from '#web/ui/leader.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import css from './match-card.module.css'
import { dismiss, restore } from './match-queries.ts'
import { Reason } from './reason.tsx'

/** Shows a listing that matches a want, with the reason. */
export function MatchCard({ match }: { match: Match }) {
  const { listing } = match
  const params = { id: String(listing.id) }
  return (
    <li className={css.match}>
      <ListingThumbnail listing={listing} sizes="(min-width: 769px) 128px, 80px" className={css.thumbnail} />
      <Grid gap="2" className={css.text}>
        <div className={css.head}>
          <h2 dir="auto">
            <Link className={classNames(text.plainLink, css.title)} to="/listings/$id" params={params}>
              {listing.title}
            </Link>
          </h2>
          <span className={css.leader}>
            <Leader />
          </span>
          <span className={css.terms}>
            <ListingState listing={listing} />
            <PriceTag listing={listing} />
          </span>
        </div>
        <Reason {...match} />
        <Owner match={match} />
        <Cluster>
          {match.is_swap && <ProposeSwap listing={listing} />}
          <ButtonLink variant="secondary" size="small" to="/listings/$id" params={params} hash="chat">
            <span>
              <Trans>
                Write
                <VisuallyHidden>
                  {' '}
                  to {listing.owner_username} about {listing.title}
                </VisuallyHidden>
              </Trans>
            </span>
          </ButtonLink>
          <DismissButton match={match} />
        </Cluster>
      </Grid>
    </li>
  )
}

function Owner({ match: { listing } }: { match: Match }) {
  const { owner_id, owner_username, owner_profile_picture } = listing
  const band = bandText(listing)
  const name = owner_username || unknownMember()
  return (
    <Row as="p" gap="2" className={classNames(text.muted, css.owner)}>
      <Avatar id={owner_id} name={name} picture={owner_profile_picture} size="xs" />
      <span>
        <MemberLink id={owner_id} name={name} />
        {band !== undefined && ` · ${band}`}
      </span>
    </Row>
  )
}

function DismissButton({ match }: { match: Match }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const dismissal = useAction(() => dismiss(client, match), {
    onSuccess: () =>
      toasts.show(t`Not shown for “${{ title: match.want.title }}” again`, () => restore(client, match)),
  })
  return (
    <Cluster>
      <Button
        variant="quiet"
        size="small"
        busy={dismissal.isPending && t`Saving...`}
        onClick={dismissal.press}
      >
        <span>
          <Trans>
            not this<VisuallyHidden> {match.listing.title}</VisuallyHidden>
          </Trans>
        </span>
      </Button>
      <ActionFailure>{dismissal.isError && t`Not changed. Please try again.`}</ActionFailure>
    </Cluster>
  )
}
