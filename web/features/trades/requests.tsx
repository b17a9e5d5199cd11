import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Trade } from '#contract/trades.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useAction } from '#web/api/use-action.ts'
import { amountText } from '#web/features/listings/amount.ts'
import { bandText } from '#web/features/listings/distance.ts'
import { formerMember } from '#web/features/members/former-member.ts'
import { cityAndState } from '#web/features/members/location.ts'
import { MemberLink } from '#web/features/members/member-link.tsx'
import { Username } from '#web/features/members/username.tsx'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import { formatFacts, formatList } from '#web/i18n/formats.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Row, Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { titleOf } from './listing-title.ts'
import css from './requests.module.css'
import { Stamp } from './stamp.tsx'
import { TradeActions } from './trade-actions.tsx'
import { TradeNote } from './trade-note.tsx'
import { endedTradesQuery, listingTradesQuery } from './trade-queries.ts'
import { answerTrade } from './trade-steps.ts'
import { nameOf, ordinal, requesterOf } from './trade-text.ts'

/** Shows the requests for the member's own listing in order of arrival. */
export function Requests({ listingId }: { listingId: number }) {
  const requests = useInfiniteList(listingTradesQuery(listingId))
  useReadNotificationsAbout('trade', requests.items ?? [])
  if (requests.isPending || requests.isEmpty) return null
  return (
    <section className={layout.section} aria-labelledby="requests">
      <SectionTitle id="requests">
        {requests.items === undefined
          ? t`Asked for`
          : askedForBy(requests.items.length, requests.hasNextPage)}
      </SectionTitle>
      <PagedList list={requests} skeleton={null} empty={null} failure={t`Failed to load data`}>
        {(items) => (
          <>
            <NextInLine requests={items} listingId={listingId} />
            <ol>
              {items.map((trade) => (
                <Request key={trade.id} trade={trade} listingId={listingId} />
              ))}
            </ol>
          </>
        )}
      </PagedList>
    </section>
  )
}

type NextInLineProps = { requests: readonly Trade[]; listingId: number }

/** Asks whether the next in line gets the listing, after a promise has ended. */
function NextInLine({ requests, listingId }: NextInLineProps) {
  const client = useQueryClient()
  const ended = useInfiniteList(endedTradesQuery(listingId))
  const accept = useAction((id: number) => answerTrade(client, id, 'accept'))
  const next = requests.find(({ kind, allowed }) => kind === 'single' && allowed.includes('accept'))
  const isPromised = requests.some(({ state }) => state === 'accepted')
  const lastPromise = ended.items
    ?.filter(({ legs }) => legs.every(({ accepted }) => accepted))
    .toSorted((one, other) => Date.parse(one.updated_at) - Date.parse(other.updated_at))
    .at(-1)
  if (next === undefined || isPromised || lastPromise === undefined || lastPromise.state === 'done')
    return null
  const name = nameOf(requesterOf(next))
  return (
    <Stack gap="2" align="start" className={classNames(text.breakable, css.question)}>
      <p>
        <Trans>
          The promise to <b dir="auto">{nameOf(requesterOf(lastPromise))}</b> has ended. Shall{' '}
          <b dir="auto">{name}</b>, next in line, get it?
        </Trans>
      </p>
      <Button
        size="small"
        busy={accept.isPending && t`Saving...`}
        onClick={(event) => accept.press(event, next.id)}
      >
        <span className={text.breakable}>
          <Trans>
            promise it to <Username name={name} />
          </Trans>
        </span>
      </Button>
      <ActionFailure>{accept.failure}</ActionFailure>
    </Stack>
  )
}

function Request({ trade, listingId }: { trade: Trade; listingId: number }) {
  const member = requesterOf(trade)
  const name = nameOf(member)
  const asked = trade.legs.find(({ listing }) => listing.id === listingId)
  const position = asked?.position ?? null
  const quantity = asked?.quantity ?? null
  const offered = trade.legs.filter(({ listing }) => listing.id !== listingId)
  const titles = formatList(offered.map(({ listing }) => titleOf(listing)))
  return (
    <li className={css.request}>
      <Row>
        {member !== null && <Avatar id={member.id} name={member.username} picture={member.profile_picture} />}
        <div className={classNames(layout.grow, css.who)}>
          <h3>
            {position !== null && <span className={css.position}>{ordinal(position)}</span>}{' '}
            {member === null ? (
              formerMember()
            ) : (
              <MemberLink id={member.id} name={member.username} className={css.name} />
            )}
          </h3>
          {quantity !== null && <p dir="auto">{amountText(quantity, asked?.unit ?? null)}</p>}
          <p className={css.facts}>{requesterDetails(trade)}</p>
        </div>
        {trade.state === 'accepted' && <Stamp trade={trade} />}
      </Row>
      {offered.length > 0 && (
        <p className={css.facts}>
          {trade.kind === 'ring' ? (
            <Trans>
              a ring with <b dir="auto">{titles}</b>
            </Trans>
          ) : (
            <Trans>
              for <b dir="auto">{titles}</b>
            </Trans>
          )}
        </p>
      )}
      {trade.note !== null && (
        <div className={css.note}>
          <TradeNote note={trade.note} />
        </div>
      )}
      <TradeActions trade={trade}>
        {member !== null && (
          <ButtonLink
            variant="secondary"
            size="small"
            to="/messages/$otherId"
            params={{ otherId: member.id }}
          >
            <span>
              <Trans>
                Write<VisuallyHidden> to {name}</VisuallyHidden>
              </Trans>
            </span>
          </ButtonLink>
        )}
      </TradeActions>
    </li>
  )
}

/** Returns "Portland, OR · under 5 miles · 7 thanks · 2 mutual friends". */
function requesterDetails({ requester }: Trade): string {
  if (requester === null) return ''
  const { thanks_count, mutual_friend_count } = requester
  return formatFacts([
    cityAndState(requester),
    bandText(requester),
    plural(thanks_count, {
      0: 'no thanks yet',
      1: 'thanked once',
      one: 'thanked # time',
      other: 'thanked # times',
    }),
    mutual_friend_count > 0 &&
      plural(mutual_friend_count, { one: '# mutual friend', other: '# mutual friends' }),
  ])
}

function askedForBy(count: number, hasMore: boolean): string {
  return hasMore ? t`Asked for by ${count}+` : t`Asked for by ${count}`
}
