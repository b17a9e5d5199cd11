import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import type { Trade, TradeLeg } from '#contract/trades.ts'
import { useAction } from '#web/api/use-action.ts'
import { Username } from '#web/features/members/username.tsx'
import { labelFor } from '#web/i18n/formats.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { dayOf, Time } from '#web/ui/time.tsx'
import { titleOf } from './listing-title.ts'
import css from './trade-actions.module.css'
import { denyHandOver, handOver } from './trade-steps.ts'
import { nameOf } from './trade-text.ts'

/** Shows the handover of a promised leg: the buttons of its giver or taker, or that it waits for the giver. */
export function HandOver({ trade, leg }: { trade: Trade; leg: TradeLeg }) {
  const me = useStoredLogin()?.user.id
  const isTaker = leg.taker_id === me
  if (leg.handed_over || trade.state !== 'accepted' || (!isTaker && leg.giver_id !== me)) return null
  if (leg.confirm_at === null)
    return (
      <Cluster className={css.actions}>
        <HandOverButton
          trade={trade}
          leg={leg}
          label={isTaker ? t`I have it` : t`I handed it over`}
          isPrimary={isTaker && trade.pickup?.accepted === true}
        />
      </Cluster>
    )
  return isTaker ? (
    <p className={css.waits}>
      <Trans>
        Waiting for <Username name={nameOf(leg.giver)} /> to say yes. Without an answer it counts as handed
        over on <Time isDay at={leg.confirm_at} format={dayOf} />.
      </Trans>
    </p>
  ) : (
    <>
      <p className={css.waits}>
        <Trans>
          <Username name={nameOf(leg.taker)} /> says they have it. Is that right? Without an answer it counts
          as handed over on <Time isDay at={leg.confirm_at} format={dayOf} />.
        </Trans>
      </p>
      <Cluster className={css.actions}>
        <HandOverButton trade={trade} leg={leg} label={t`yes`} isPrimary />
        <DenyButton trade={trade} leg={leg} />
      </Cluster>
    </>
  )
}

type LegProps = { trade: Trade; leg: TradeLeg }

/** A button by which the giver marks a leg as handed over, or the taker says that they have it. */
function HandOverButton({ trade, leg, ...button }: LegProps & { label: string; isPrimary: boolean }) {
  const client = useQueryClient()
  const step = useAction(() => handOver(client, trade.id, leg.listing.id))
  return <StepButton leg={leg} {...button} step={step} />
}

function DenyButton({ trade, leg }: LegProps) {
  const client = useQueryClient()
  const step = useAction(() => denyHandOver(client, trade.id))
  return <StepButton leg={leg} label={t`not yet`} isPrimary={false} step={step} />
}

type StepButtonProps = {
  leg: TradeLeg
  label: string
  isPrimary: boolean
  step: { isPending: boolean; failure: string | undefined; press: (event: MouseEvent) => void }
}

function StepButton({ leg, label, isPrimary, step }: StepButtonProps) {
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        size="small"
        aria-label={labelFor(label, titleOf(leg.listing))}
        busy={step.isPending && t`Saving...`}
        onClick={step.press}
      >
        {label}
      </Button>
      <ActionFailure>{step.failure}</ActionFailure>
    </>
  )
}
