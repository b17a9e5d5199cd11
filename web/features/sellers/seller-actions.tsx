import { useQuery } from '@tanstack/react-query'
import type { PublicMember } from '#contract/members.ts'
import { BlockButton } from '#web/features/members/block-button.tsx'
import { blocksQuery } from '#web/features/members/blocks.ts'
import { UnblockButton } from '#web/features/members/unblock-button.tsx'
import { ReportButton } from '#web/features/reports/report-button.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import css from './seller-actions.module.css'

/** Shows the buttons that report and block or unblock the member. Shows none on the own profile. */
export function SellerActions({ seller }: { seller: PublicMember }) {
  const me = useStoredLogin()?.user.id
  const { data: blocked } = useQuery(blocksQuery)
  if (seller.id === me) return null
  return (
    <div className={css.actions}>
      <ReportButton about={{ user_id: seller.id }} />
      {blocked?.some(({ id }) => id === seller.id) && <UnblockButton member={seller} variant="quiet" />}
      {blocked?.every(({ id }) => id !== seller.id) && <BlockButton member={seller} />}
    </div>
  )
}
