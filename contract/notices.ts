import { z } from 'zod/mini'
import { siteRuleNames } from './report-cases.ts'

/** Names the kinds of notices that the desk sends to members. */
export const noticeKinds = [
  'listing_hidden',
  'listing_shown',
  'listing_removed',
  'listing_categorized',
  'warned',
  'suspended',
  'restored',
  'report_answered',
  // For those who run the site.
  'appealed',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Describes an action of the desk on something of the reader, or its answer to a report of theirs. */
export const notice = z.object({
  kind: z.enum(noticeKinds),
  /** The title of the listing. */
  title: z.nullable(z.string()),
  rule: z.nullable(z.enum(siteRuleNames)),
  text: z.nullable(z.string()),
})
export type Notice = z.output<typeof notice>
