import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { auditEntry, deskMessages, passwordAgain, reasonField, reasonTooLong } from './desk.ts'
import { deskRoles } from './desk-roles.ts'
import { endpoint } from './endpoint.ts'
import { id, line, moment, pageFields, paragraphs } from './fields.ts'
import { memberMessages } from './members.ts'
import { msg } from './message.ts'
import { pauseDays, pauseMessages } from './pauses.ts'
import { caseOutcomes, caseSubjects, siteRuleNames } from './report-cases.ts'

const maxSuspensionDays = 3650

export const deskMemberMessages = {
  days: msg('Please choose from 1 to {max} days', { max: maxSuspensionDays }),
  suspended: msg('This member is suspended already. Load the page again to see why.'),
  notSuspended: msg('This member is not suspended'),
  noAppeal: msg('No appeal of this member waits for an answer. Another moderator may have answered it.'),
  paused: msg('This member is paused already. Load the page again to see until when.'),
  notPaused: msg('This member is not paused'),
  hasRole: msg('This member has a role at the desk. An operator can take it first.'),
  self: msg('You can not do this to yourself'),
  nothingSent: msg('This member has sent no messages that others still see'),
  suspendFirst: msg('Suspend this member first'),
  noAddress: msg('This member has no e-mail address'),
  confirmed: msg('This member has confirmed the e-mail address already'),
} as const

/** Names the actions of the desk on a member. Each is in the audit log with its reason. */
export const memberActions = [
  'note',
  'warn',
  'suspend',
  'restore',
  'keep_suspension',
  'pause',
  'unpause',
  'withdraw',
  'end_sessions',
  'send_password_reset',
  'send_confirmation',
] as const
export type MemberAction = (typeof memberActions)[number]

/** The actions that need no reason. */
export const withoutReason: readonly MemberAction[] = ['send_password_reset', 'send_confirmation']

const row = {
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** Null after the owner of the address has disowned the account. */
  email: z.nullable(z.string()),
  email_confirmed: z.boolean(),
  created_at: moment,
  suspended_at: z.nullable(moment),
  desk_role: z.nullable(z.enum(deskRoles)),
}

export const deskMemberRow = z.object(row)
export type DeskMemberRow = z.output<typeof deskMemberRow>

/** The days of a suspension. */
const suspensionDays = z
  .int(deskMemberMessages.days)
  .check(z.gte(1, deskMemberMessages.days), z.lte(maxSuspensionDays, deskMemberMessages.days))

/** A member with the newest of what the desk knows. */
export const deskMemberDetails = z.object({
  ...row,
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
  /** The end of a pause, during which the member writes to no strangers and posts no listings. */
  paused_until: z.nullable(moment),
  session_count: z.int(),
  /** True if the messages of the member are withdrawn from their receivers. */
  is_withdrawn: z.boolean(),
  suspension: z.nullable(
    z.object({
      rule: z.enum(siteRuleNames),
      reason: z.string(),
      ends_at: z.nullable(moment),
      appeal: z.nullable(z.string()),
      appeal_answer: z.nullable(z.string()),
    }),
  ),
  listings: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      is_active: z.boolean(),
      is_hidden: z.boolean(),
      created_at: moment,
    }),
  ),
  /** The reports of the member and of what they have written. */
  cases: z.array(
    z.object({
      id: z.int(),
      subject_type: z.enum(caseSubjects),
      outcome: z.nullable(z.enum(caseOutcomes)),
      created_at: moment,
    }),
  ),
  own_reports: z.array(z.object({ id: z.int(), reason: z.string(), created_at: moment })),
  /** Lists the notes, warnings and other actions of the desk. */
  log: z.array(auditEntry),
})
export type DeskMemberDetails = z.output<typeof deskMemberDetails>

export const searchDeskMembers = endpoint({
  method: 'GET',
  path: '/desk/members',
  summary: 'List the members whose name, username or e-mail contains words, new ones first',
  auth: 'moderator',
  query: z.object({ ...pageFields, q: z.optional(line(limits.email)) }),
  response: { 200: z.array(deskMemberRow) },
})

const oneMember = { params: z.object({ id }), notFound: memberMessages.notFound } as const

export const getDeskMember = endpoint({
  ...oneMember,
  method: 'GET',
  path: '/desk/members/{id}',
  summary: 'Get what the desk knows about a member',
  auth: 'moderator',
  response: { 200: deskMemberDetails },
})

export const memberActionBody = z
  .object({
    action: z.enum(memberActions),
    /** The note, why, or the answer to an appeal. A warned or suspended member reads it. */
    reason: z.optional(paragraphs(limits.report.max, reasonTooLong)),
    /** The broken rule, for a warning and a suspension. */
    rule: z.optional(z.enum(siteRuleNames)),
    /** The days of a pause, or of a suspension. Null for a suspension without an end. */
    days: z.optional(z.nullable(suspensionDays)),
  })
  .check(
    z.refine(({ action, reason }) => Boolean(reason) || withoutReason.includes(action), {
      path: ['reason'],
      error: deskMessages.reasonNeeded,
    }),
    z.refine(({ action, days }) => action !== 'pause' || (days ?? Infinity) <= pauseDays, {
      path: ['days'],
      error: pauseMessages.days,
    }),
  )
export type MemberActionBody = z.output<typeof memberActionBody>

export const actOnMember = endpoint({
  ...oneMember,
  method: 'POST',
  path: '/desk/members/{id}/actions',
  summary:
    'Note, warn, pause, suspend or restore a member, answer their appeal, withdraw their messages, end their sessions, or send them a mail',
  auth: 'moderator',
  body: memberActionBody,
  response: { 200: deskMemberDetails },
})

export const deleteDeskMember = endpoint({
  ...oneMember,
  method: 'POST',
  path: '/desk/members/{id}/delete',
  summary: 'Delete the account of a member',
  auth: 'operator',
  body: z.object({ reason: reasonField, current_password: passwordAgain }),
  response: { 204: 'nothing' },
})
