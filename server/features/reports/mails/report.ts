import type { Translator } from '#server/platform/i18n/translator.ts'
import type { MailContent } from '#server/platform/render-mail.ts'
import type { ReportRow } from '../queries.ts'

/** Returns the mail to the operator with the report and the command that hides or suspends its subject. */
export function reportMail(report: ReportRow, supportEmail: string, t: Translator): MailContent {
  const { kind, subject, quote, command, path } = describeSubject(report)
  const photos = report.photo_count > 0 ? [`npm run admin -- photos ${report.id}`] : []
  return {
    to: supportEmail,
    t,
    subject: `Report ${report.id}: ${kind}`,
    title: `report ${report.id}`,
    body: [
      report.noticed === 'equal_texts'
        ? `The site refuses a text that ${subject} sends to many strangers:`
        : `${report.reporter ?? 'Someone who has left'} reports ${subject}:`,
      report.reason,
      ...quote,
      ...photos,
      `npm run admin -- ${command}`,
    ],
    action: { label: 'Have a look', path },
  }
}

function describeSubject({
  listing_id,
  listing_title,
  message_id,
  thanks_id,
  content,
  sender_id,
  user_id,
  username,
}: ReportRow) {
  const suspend = `suspend ${username ?? 'USERNAME'}`
  if (listing_id !== null) {
    const subject = `listing ${listing_id}, "${listing_title ?? 'gone'}", by ${username ?? 'someone who has left'}`
    return {
      kind: 'a listing',
      subject,
      quote: [],
      command: `hide ${listing_id}`,
      path: `/listings/${listing_id}`,
    }
  }
  if (message_id !== null || thanks_id !== null) {
    const kind = message_id === null ? 'a thank-you' : 'a message'
    return {
      kind,
      subject: `${kind} from ${username ?? 'someone who has left'}`,
      quote: ['The words:', content ?? ''],
      command: suspend,
      path: `/seller/${sender_id ?? ''}`,
    }
  }
  return {
    kind: 'a member',
    subject: `the member ${username ?? 'who has left'}`,
    quote: [],
    command: suspend,
    path: `/seller/${user_id ?? ''}`,
  }
}
