import { Trans } from '@lingui/react/macro'
import type { PublicMember } from '#contract/members.ts'

type TradeCountsProps = { member: Pick<PublicMember, 'given_count' | 'received_count'> }

/** Shows how many listings a member has given and received. Shows nothing before the first trade. */
export function TradeCounts({ member: { given_count, received_count } }: TradeCountsProps) {
  if (given_count + received_count === 0) return null
  return (
    <p>
      <Trans>
        passed on <b>{given_count}</b>, received <b>{received_count}</b>
      </Trans>
    </p>
  )
}
