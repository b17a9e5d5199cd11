import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { deskRoles } from './desk-roles.ts'
import { endpoint } from './endpoint.ts'
import { id, moment, pageFields, paragraphs, queryNumber, secret } from './fields.ts'
import { usernameField } from './member-fields.ts'
import { memberMessages } from './members.ts'
import { msg } from './message.ts'

export const deskMessages = {
  lastOperator: msg('This is the last operator. Make another member an operator first.'),
  notOnDesk: msg('This member has no role at the desk'),
  reasonNeeded: msg('Please say why'),
} as const

export const reasonTooLong = msg('Please say it in at most {max} characters', { max: limits.report.max })

/** The reason of an action, for the audit log. */
export const reasonField = paragraphs(limits.report.max, reasonTooLong).check(
  z.minLength(1, deskMessages.reasonNeeded),
)

/** The current password of a sensitive action. A new session may omit it. */
export const passwordAgain = z.optional(secret(limits.password.max))

/** Names the actions that the audit log records. */
export const auditActions = [
  'role_granted',
  'role_revoked',
  'report_taken',
  'report_released',
  'report_dismissed',
  'report_resolved',
  'reporters_answered',
  'listing_hidden',
  'listing_shown',
  'listing_removed',
  'listing_categorized',
  'member_warned',
  'member_suspended',
  'member_restored',
  'suspension_kept',
  'member_paused',
  'member_unpaused',
  'ban_added',
  'ban_lifted',
  'jobs_retried',
  'jobs_dropped',
  'test_mail_sent',
  'member_noted',
  'member_deleted',
  'messages_withdrawn',
  'messages_restored',
  'sessions_ended',
  'password_reset_sent',
  'confirmation_sent',
  'registration_approved',
  'registration_refused',
  'site_saved',
  'site_restored',
  'swap_day_opened',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Names the actions that can be undone. */
export const undoableActions = [
  'listing_hidden',
  'listing_shown',
  'listing_categorized',
  'member_suspended',
  'member_restored',
  'member_paused',
  'messages_withdrawn',
  'ban_added',
  'ban_lifted',
] as const satisfies readonly AuditAction[]
export type UndoableAction = (typeof undoableActions)[number]

/** Names the actions that only an operator can undo. */
export const actionsOfOperators: readonly AuditAction[] = ['ban_added', 'ban_lifted']

/** `site` is all of it, with the id 0. */
export const auditTargets = ['listing', 'member', 'message', 'thanks', 'report', 'ban', 'site'] as const
export type AuditTarget = (typeof auditTargets)[number]

/** Names the actor of an entry: null for a command of the shell, and for what ended by itself. The name of a deleted member is null. */
export const deskActor = z.nullable(z.object({ id: z.int(), username: z.nullable(z.string()) }))

export const auditEntry = z.object({
  id: z.int(),
  actor: deskActor,
  action: z.enum(auditActions),
  target_type: z.enum(auditTargets),
  target_id: z.int(),
  /** The member's username, the listing's title, or what is banned. */
  target_name: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The id of the action that this one has undone. */
  undoes: z.nullable(z.int()),
  is_undone: z.boolean(),
  created_at: moment,
})
export type AuditEntry = z.output<typeof auditEntry>

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/desk/audit-log',
  summary: 'List the actions of the desk, newest first',
  auth: 'moderator',
  query: z.object({
    ...pageFields,
    action: z.optional(z.enum(auditActions)),
    actor_id: z.optional(queryNumber(z.int())),
    target_type: z.optional(z.enum(auditTargets)),
    target_id: z.optional(queryNumber(z.int())),
  }),
  response: { 200: z.array(auditEntry) },
})

export const deskMember = z.object({
  id: z.int(),
  username: z.string(),
  role: z.enum(deskRoles),
  granted_at: moment,
})
export type DeskMember = z.output<typeof deskMember>

export const listDeskMembers = endpoint({
  method: 'GET',
  path: '/desk/roles',
  summary: 'List the moderators and operators',
  auth: 'moderator',
  response: { 200: z.array(deskMember) },
})

export const roleGrant = z.object({
  username: usernameField,
  role: z.enum(deskRoles),
  current_password: passwordAgain,
})

export const grantRole = endpoint({
  method: 'POST',
  path: '/desk/roles',
  summary: 'Give a member a role at the desk',
  auth: 'operator',
  body: roleGrant,
  notFound: memberMessages.notFound,
  response: { 200: deskMember },
})

export const revokeRole = endpoint({
  method: 'POST',
  path: '/desk/roles/{id}/revoke',
  summary: 'Take the role at the desk from a member',
  auth: 'operator',
  params: z.object({ id }),
  body: z.object({ current_password: passwordAgain }),
  notFound: deskMessages.notOnDesk,
  response: { 204: 'nothing' },
})
