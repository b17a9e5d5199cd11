import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Trade } from '#contract/trades.ts'
import { useAction } from '#web/api/use-action.ts'
import { amountText } from '#web/features/listings/amount.ts'
import { useReadNotificationsAbout } from '#web/features/page-head/use-read-notifications.ts'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster } from '#web/ui/layout.tsx'
import css from './request-state.module.css'
import { Stamp } from './stamp.tsx'
import { answerTrade } from './trade-steps.ts'
import { requestText } from './trade-text.ts'

/** Shows the state of the member's request for a listing. */
export function RequestState({ trade }: { trade: Trade }) {
  const client = useQueryClient()
  useReadNotificationsAbout('trade', [trade])
  const asked = trade.legs.find(({ quantity }) => quantity !== null)
  const withdrawal = useAction(async () => {
    await answerTrade(client, trade.id, 'withdraw')
  })
  return (
    <section className={css.request} aria-label={t`My request`}>
      <Cluster as="p" className={css.state} role="status">
        <Stamp trade={trade} />
        <span>{requestText(trade)}</span>
        {asked !== undefined && asked.quantity !== null && (
          <span dir="auto">{amountText(asked.quantity, asked.unit)}</span>
        )}
      </Cluster>
      <Cluster as="p" className={css.actions}>
        <Link className={classNames(text.link, text.standalone)} to="/trades/$id" params={{ id: trade.id }}>
          {t`Show the trade`}
        </Link>
        {trade.allowed.includes('withdraw') && trade.state === 'requested' && (
          <Button
            variant="quiet"
            size="small"
            busy={withdrawal.isPending && t`Saving...`}
            onClick={withdrawal.press}
          >
            {t`withdraw`}
          </Button>
        )}
      </Cluster>
      <ActionFailure>{withdrawal.failure}</ActionFailure>
    </section>
  )
}
