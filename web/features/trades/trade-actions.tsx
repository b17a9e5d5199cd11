import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useState } from 'react'
import type { Trade, TradeAction } from '#contract/trades.ts'
import { unknownFailure } from '#web/api/api-error.ts'
import { useAction } from '#web/api/use-action.ts'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import css from './trade-actions.module.css'
import { answerTrade, arrangePickup, fetchCalendar } from './trade-steps.ts'

const PickupDialog = lazyExport(() => import('./pickup-dialog.tsx'), 'PickupDialog')
const ThanksDialog = lazyExport(() => import('./thanks-dialog.tsx'), 'ThanksDialog')

type TradeActionsProps = {
  trade: Trade
  /** Further actions. */
  children?: ReactNode
}

/** Shows the buttons of the steps that the member can take now. */
export function TradeActions({ trade, children }: TradeActionsProps) {
  const client = useQueryClient()
  const [dialog, setDialog] = useState<TradeDialog>()
  const answer = useAction((to: Answer) => answerTrade(client, trade.id, to))
  const { starts_at, ends_at } = trade.pickup ?? {}
  const acceptance = useAction(() => arrangePickup(client, trade.id, { accept: true, starts_at, ends_at }))
  const close = () => setDialog(undefined)
  const can = (action: TradeAction) => trade.allowed.includes(action)
  const answerButton = (to: Answer) => ({
    size: 'small' as const,
    busy: answer.isPending && answer.variables === to && t`Saving...`,
    onClick: (event: MouseEvent) => answer.press(event, to),
  })
  return (
    <>
      <Cluster className={css.actions}>
        {can('accept') && <Button {...answerButton('accept')}>{t`accept`}</Button>}
        {can('accept_pickup') && (
          <Button size="small" busy={acceptance.isPending && t`Saving...`} onClick={acceptance.press}>
            {t`accept the time`}
          </Button>
        )}
        <DialogButtons trade={trade} onOpen={setDialog} />
        {can('decline') && (
          <Button variant="secondary" {...answerButton('decline')}>
            {t`decline`}
          </Button>
        )}
        {children}
        {can('withdraw') && (
          <Button
            variant="quiet"
            {...answerButton('withdraw')}
            {...(trade.state === 'accepted' && { onClick: () => setDialog('withdraw') })}
          >
            {t`withdraw`}
          </Button>
        )}
      </Cluster>
      <ActionFailure className={css.failure}>{answer.failure ?? acceptance.failure}</ActionFailure>
      {dialog === 'withdraw' && (
        <WithdrawDialog onConfirm={() => answer.mutate('withdraw')} onClose={close} />
      )}
      {dialog === 'pickup' && <PickupDialog trade={trade} onClose={close} />}
      {dialog === 'thanks' && <ThanksDialog trade={trade} onClose={close} />}
    </>
  )
}

type Answer = 'accept' | 'decline' | 'withdraw'
type TradeDialog = 'pickup' | 'thanks' | 'withdraw'

type DialogButtonsProps = { trade: Trade; onOpen: (dialog: TradeDialog) => void }

function DialogButtons({ trade: { allowed, pickup }, onOpen }: DialogButtonsProps) {
  return (
    <>
      {allowed.includes('propose_pickup') && (
        <Button
          variant={pickup === null ? 'primary' : 'secondary'}
          size="small"
          onClick={() => onOpen('pickup')}
        >
          {pickup === null ? t`arrange the pickup` : t`another time`}
        </Button>
      )}
      {allowed.includes('thank') && (
        <Button size="small" onClick={() => onOpen('thanks')}>
          {t`say thank you`}
        </Button>
      )}
    </>
  )
}

function WithdrawDialog({ onConfirm, onClose }: { onConfirm: () => void; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={t`end this promise?`}
      action={t`withdraw`}
      busy={false}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
      onClose={onClose}
    >
      {t`The trade ends for both sides, and the listing is free again.`}
    </ConfirmDialog>
  )
}

/** A button that downloads the pickup as a calendar file. A link would not send the token. */
export function CalendarButton({ tradeId }: { tradeId: number }) {
  const client = useQueryClient()
  const download = useAction(
    async () => {
      const [file, { saveAsFile }] = await Promise.all([
        fetchCalendar(client, tradeId),
        import('#web/ui/save-as-file.ts'),
      ])
      saveAsFile(`pickup-${tradeId}.ics`, file)
    },
    { fallback: unknownFailure() },
  )
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        busy={download.isPending && t`Loading...`}
        onClick={download.press}
      >
        {t`add to calendar`}
      </Button>
      <span className={text.failure} role="status">
        {download.failure}
      </span>
    </>
  )
}
