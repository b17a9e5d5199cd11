import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { tradeDays } from '#contract/constants.ts'
import type { RingSuggestion } from '#contract/trades.ts'
import { useAction } from '#web/api/use-action.ts'
import { Username } from '#web/features/members/username.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Grid, Stack } from '#web/ui/layout.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import fold from './fold-row.module.css'
import { titleOf } from './listing-title.ts'
import { RingDrawing } from './ring-drawing.tsx'
import css from './rings.module.css'
import { proposeTrade } from './trade-steps.ts'

/** Shows suggested rings: each member gives a listing and gets one that they want. */
export function Rings({ rings }: { rings: readonly RingSuggestion[] }) {
  if (rings.length === 0) return null
  return (
    <section className={css.rings} aria-labelledby="rings">
      <h2 id="rings" className={text.subheading}>
        {plural(rings.length, { 1: 'a ring for you', one: '# ring for you', other: '# rings for you' })}
      </h2>
      <p className={text.muted}>{t`Nobody fits you alone, but together everyone gets what they want.`}</p>
      <ul>
        {rings.map((ring, index) => (
          <Ring
            key={ring.legs.map(({ listing }) => listing.id).join(' ')}
            ring={ring}
            isFirst={index === 0}
          />
        ))}
      </ul>
    </section>
  )
}

type RingProps = { ring: RingSuggestion; isFirst: boolean }

/** A suggested ring with the member's own listing first. Only the first ring is unfolded. */
function Ring({ ring, isFirst }: RingProps) {
  const me = useStoredLogin()?.user.id
  const legs = startingWith(me, ring.legs)
  const [given, received] = [legs[0], legs.at(-1)]
  return (
    <li>
      <details className={css.ring} open={isFirst}>
        <summary className={fold.row}>
          <span className={classNames(layout.grow, css.summary)}>
            <Trans>
              <b dir="auto">{given && titleOf(given.listing)}</b> for{' '}
              <b dir="auto">{received && titleOf(received.listing)}</b>
            </Trans>
            <span className={css.size}>{t`a ring of ${{ count: legs.length }}`}</span>
          </span>
          <Icon name="down" size={20} className={fold.arrow} />
        </summary>
        <RingBody legs={legs} me={me} />
      </details>
    </li>
  )
}

/** Returns the legs in the order of giving, the member's own first. */
function startingWith<Leg extends RingSuggestion['legs'][number]>(
  me: number | undefined,
  legs: readonly Leg[],
): Leg[] {
  const own = legs.findIndex(({ giver }) => giver.id === me)
  return own < 0 ? [...legs] : [...legs.slice(own), ...legs.slice(0, own)]
}

type RingBodyProps = { legs: RingSuggestion['legs']; me: number | undefined }

function RingBody({ legs, me }: RingBodyProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const proposal = useAction(async () => {
    await proposeTrade(client, { ring: legs.map(({ listing }) => listing.id) })
    toasts.show(t`Ring proposed to all`)
  })
  return (
    <Grid columns="18rem" align="center" className={css.body}>
      <RingDrawing legs={legs} me={me} />
      <Stack gap="3" align="start" className={css.words}>
        <Stack as="ol" gap="3">
          {legs.map(({ listing, giver, taker, reason }) => (
            <li key={listing.id}>
              <Handover listing={listing} giver={giver} taker={taker} me={me} />
              <span className={css.reason}>{reason}</span>
            </li>
          ))}
        </Stack>
        <p className={text.muted}>
          {plural(tradeDays.ring.lapse, {
            one: 'It holds when all have accepted within # day.',
            other: 'It holds when all have accepted within # days.',
          })}
        </p>
        <Button size="small" busy={proposal.isPending && t`Sending...`} onClick={proposal.press}>
          {t`propose it to all`}
        </Button>
        <ActionFailure>{proposal.failure}</ActionFailure>
      </Stack>
    </Grid>
  )
}

type HandoverProps = Pick<RingSuggestion['legs'][number], 'listing' | 'giver' | 'taker'> & {
  me: number | undefined
}

/** Tells who gives what to whom. */
function Handover({ listing, giver, taker, me }: HandoverProps) {
  const title = (
    <Link className={text.link} to="/listings/$id" params={{ id: String(listing.id) }} dir="auto">
      {titleOf(listing)}
    </Link>
  )
  const giverName = <Username name={giver.username} />
  const takerName = <Username name={taker.username} />
  if (giver.id === me)
    return (
      <Trans>
        <b>you</b> give {title} to <b>{takerName}</b>
      </Trans>
    )
  if (taker.id === me)
    return (
      <Trans>
        <b>{giverName}</b> gives {title} to <b>you</b>
      </Trans>
    )
  return (
    <Trans>
      <b>{giverName}</b> gives {title} to <b>{takerName}</b>
    </Trans>
  )
}
