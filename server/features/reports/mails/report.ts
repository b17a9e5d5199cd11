import type { Mail } from '#server/platform/mail.ts'
import { type MailContext, renderMail } from '#server/platform/render-mail.ts'
import type { ReportRow } from '../queries.ts'

/** Goes to the operator: what was reported, by whom, why, and the commands that help. */
export function reportForOperator(report: ReportRow, context: MailContext): Mail {
  const { kind, what, words, command, path } = reported(report)
  return renderMail(
    {
      to: context.supportEmail,
      subject: `Report ${report.id}: ${kind}`,
      title: `report ${report.id}`,
      paragraphs: [
        `${report.reporter ?? 'Someone who has left'} reports ${what}:`,
        report.reason,
        ...words,
        `npm run admin -- ${command}`,
      ],
      action: { label: 'Have a look', path },
    },
    context,
  )
}

function reported({
  listing_id,
  listing_title,
  message_id,
  content,
  sender_id,
  user_id,
  username,
}: ReportRow) {
  const suspend = `suspend ${username ?? 'USERNAME'}`
  if (listing_id !== null) {
    const what = `listing ${listing_id}, "${listing_title ?? 'gone'}", by ${username ?? 'someone who has left'}`
    return {
      kind: 'a listing',
      what,
      words: [],
      command: `hide ${listing_id}`,
      path: `/listings/${listing_id}`,
    }
  }
  if (message_id !== null) {
    return {
      kind: 'a message',
      what: `a message from ${username ?? 'someone who has left'}`,
      words: ['The message:', content ?? ''],
      command: suspend,
      path: `/seller/${sender_id ?? ''}`,
    }
  }
  return {
    kind: 'a member',
    what: `the member ${username ?? 'who has left'}`,
    words: [],
    command: suspend,
    path: `/seller/${user_id ?? ''}`,
  }
}
