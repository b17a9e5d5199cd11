import { type Frame, letter } from '#server/platform/letter.ts'
import type { Mail } from '#server/platform/mail.ts'
import type { ReportRow } from '../queries.ts'

/** Goes to the operator: what was reported, by whom, why, and the commands that help. */
export function reportForOperator(report: ReportRow, frame: Frame): Mail {
  const what =
    report.listing_id === null
      ? `the member ${report.username ?? 'who has left'}`
      : `listing ${report.listing_id}, "${report.listing_title ?? 'gone'}", by ${report.username ?? 'someone who has left'}`
  return letter(
    {
      to: frame.supportEmail,
      subject: `Report ${report.id}: ${report.listing_id === null ? 'a member' : 'a listing'}`,
      title: `report ${report.id}`,
      paragraphs: [
        `${report.reporter ?? 'Someone who has left'} reports ${what}:`,
        report.reason,
        report.listing_id === null
          ? `npm run admin -- suspend ${report.username ?? 'USERNAME'}`
          : `npm run admin -- hide ${report.listing_id}`,
      ],
      action: {
        label: 'Have a look',
        path:
          report.listing_id === null ? `/seller/${report.user_id ?? ''}` : `/listings/${report.listing_id}`,
      },
    },
    frame,
  )
}
