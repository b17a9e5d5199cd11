import { z } from 'zod/mini'
import { categoryOrNull, moment } from './fields.ts'
import { siteRuleNames } from './report-cases.ts'

/** Names the kinds of notices that the desk sends to members. */
export const noticeKinds = [
  'listing_hidden',
  'listing_shown',
  // A first listing that has waited for the desk.
  'first_listing_shown',
  'listing_removed',
  'listing_categorized',
  'warned',
  'suspended',
  'restored',
  // The answer to an appeal.
  'suspension_kept',
  'paused',
  'unpaused',
  'report_answered',
  // For those who run the site.
  'appealed',
  'registrations_waiting',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** A listing with its title when the desk acted on it. */
export const noticeListing = z.object({
  title: z.string(),
  /** The categories before and after a correction. Null if it was not corrected. */
  category: z.nullable(z.object({ from: categoryOrNull, to: categoryOrNull })),
})
export type NoticeListing = z.output<typeof noticeListing>

/** Describes an action of the desk on something of the reader, or its answer to a report of theirs. */
export const notice = z.object({
  kind: z.enum(noticeKinds),
  /** The listings that the action has changed. */
  listings: z.array(noticeListing),
  rule: z.nullable(z.enum(siteRuleNames)),
  text: z.nullable(z.string()),
  /** The end of a pause. */
  ends_at: z.nullable(moment),
})
export type Notice = z.output<typeof notice>
