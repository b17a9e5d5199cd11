import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { deskActor, reasonField, reasonTooLong } from './desk.ts'
import { endpoint } from './endpoint.ts'
import { id, moment, pageFields, paragraphs } from './fields.ts'
import { msg } from './message.ts'

export const caseMessages = {
  notFound: msg('Report not found'),
  taken: msg('Another moderator has taken this report. Ask them, or wait until they release it.'),
  closed: msg('This report is closed already. Load it again to see what was done.'),
  onlyListings: msg('Only a listing can be hidden or removed'),
  memberGone: msg('This member has left'),
  notUndoable: msg('This action can not be undone'),
  onlyOperators: msg('Only an operator can undo this'),
  alreadyUndone: msg('This action was undone already'),
  changedSince: msg('This was lifted or changed since. Load the page again to see what was done.'),
  waitedBefore: msg('This listing waited to be shown before. If others may see it, show it at Listings.'),
  suspensionOver: msg('The time of this suspension is over. You can suspend the member anew.'),
} as const

/** The rules of the site that something can break, with the sentence for its owner. */
export const siteRules = {
  spam: msg('No advertising, and no equal messages to many members.'),
  fraud: msg('Say honestly what you offer, and keep what you promise.'),
  forbidden: msg('Offer only what grows in a garden or helps there, and what the law allows.'),
  abusive: msg('Be kind: no insults, threats or harassment.'),
  private: msg('Do not publish private data of others.'),
  other: msg('Keep to the terms of use.'),
} as const
export type SiteRule = keyof typeof siteRules
export const siteRuleNames = ['spam', 'fraud', 'forbidden', 'abusive', 'private', 'other'] as const

export const caseSubjects = ['listing', 'member', 'message', 'thanks'] as const
export const caseOutcomes = ['dismiss', 'hide', 'remove', 'warn', 'suspend'] as const
export type CaseOutcome = (typeof caseOutcomes)[number]

/** Keeps the subject of a report as it was when the report was made. Photos are paths of files that only the desk may open then. */
export const snapshot = z.object({
  title: z.nullable(z.string()),
  text: z.nullable(z.string()),
  photos: z.array(z.string()),
  /** The reported message and those around it, or the last ones between the reporter and the reported member. */
  messages: z.array(
    z.object({
      id: z.int(),
      sender_id: z.int(),
      content: z.string(),
      created_at: moment,
      photos: z.array(z.string()),
    }),
  ),
})
export type Snapshot = z.output<typeof snapshot>

/** Names the kinds of reports that the site makes by itself. The reason of the report is the text that many strangers should get. */
export const noticedThings = ['equal_texts'] as const
export type NoticedThing = (typeof noticedThings)[number]

const shownReport = z.object({
  id: z.int(),
  reporter: deskActor,
  /** Null for a report of a member. */
  noticed: z.nullable(z.enum(noticedThings)),
  reason: z.string(),
  created_at: moment,
  snapshot: z.nullable(snapshot),
})

/** The reports of one subject, until the desk closes them together. */
export const reportCase = z.object({
  id: z.int(),
  subject_type: z.enum(caseSubjects),
  subject_id: z.int(),
  member: deskActor,
  taken_by: deskActor,
  outcome: z.nullable(z.enum(caseOutcomes)),
  closed_by: deskActor,
  closed_at: z.nullable(moment),
  created_at: moment,
  /** The newest reports. */
  reports: z.array(shownReport),
  report_count: z.int(),
})
export type ReportCase = z.output<typeof reportCase>

export const listReportCases = endpoint({
  method: 'GET',
  path: '/desk/reports',
  summary: 'List the open or the closed reports by their subjects, newest first',
  auth: 'moderator',
  query: z.object({ ...pageFields, state: z.optional(z.enum(['open', 'closed'])) }),
  response: { 200: z.array(reportCase) },
})

const oneCase = {
  auth: 'moderator',
  params: z.object({ id }),
  notFound: caseMessages.notFound,
} as const

export const takeReportCase = endpoint({
  ...oneCase,
  method: 'POST',
  path: '/desk/reports/{id}/take',
  summary: 'Take the reports of a subject, so that other moderators leave them to the caller',
  response: { 200: reportCase },
})

export const releaseReportCase = endpoint({
  ...oneCase,
  method: 'POST',
  path: '/desk/reports/{id}/release',
  summary: 'Release reports that the caller has taken',
  response: { 200: reportCase },
})

export const resolution = z.object({
  outcome: z.enum(caseOutcomes),
  rule: z.enum(siteRuleNames),
  /** The reason for the audit log and, unless the reports are dismissed, for the owner. */
  reason: reasonField,
  /** The days of a suspension. Null for one without an end. */
  days: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(3650)))),
  /** The answer to the reporters. */
  answer: z.optional(paragraphs(limits.report.max, reasonTooLong)),
})
export type Resolution = z.output<typeof resolution>

export const resolveReportCase = endpoint({
  ...oneCase,
  method: 'POST',
  path: '/desk/reports/{id}/resolve',
  summary: 'Close the reports of a subject with an action, which its owner is told',
  body: resolution,
  response: { 200: reportCase },
})

export const undoAction = endpoint({
  method: 'POST',
  path: '/desk/audit-log/{id}/undo',
  summary: 'Undo what was done to a listing or a member, unless it was changed since',
  auth: 'moderator',
  params: z.object({ id }),
  body: z.object({ reason: reasonField }),
  response: { 204: 'nothing' },
})
