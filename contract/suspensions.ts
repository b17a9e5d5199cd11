import { z } from 'zod/mini'
import { credentials } from './auth.ts'
import { limits } from './constants.ts'
import { reasonTooLong } from './desk.ts'
import { endpoint } from './endpoint.ts'
import { messageResponse, moment, paragraphs } from './fields.ts'
import { msg } from './message.ts'
import { siteRuleNames } from './report-cases.ts'

export const suspensionMessages = {
  notSuspended: msg('This account is not suspended'),
  appealed: msg('Thank you. We will read your answer and write to you.'),
  appealedAlready: msg('We have your answer already and will write to you.'),
  appealNeeded: msg('Please say why that is a mistake'),
} as const

/** Why a member is suspended and until when. Null if the desk has not said it. */
export const suspension = z.object({
  rule: z.nullable(z.enum(siteRuleNames)),
  reason: z.nullable(z.string()),
  ends_at: z.nullable(moment),
  may_appeal: z.boolean(),
  /** Why the suspension stays. Null before the desk has answered an appeal. */
  appeal_answer: z.nullable(z.string()),
})
export type Suspension = z.output<typeof suspension>

export const getSuspension = endpoint({
  method: 'POST',
  path: '/auth/suspension',
  summary: 'Get the reason and the end of a suspension by e-mail and password',
  auth: 'anyone',
  body: credentials,
  response: { 200: suspension },
})

export const appealBody = z.extend(credentials, {
  text: paragraphs(limits.report.max, reasonTooLong).check(z.minLength(1, suspensionMessages.appealNeeded)),
})
export type Appeal = z.output<typeof appealBody>

export const appealSuspension = endpoint({
  method: 'POST',
  path: '/auth/suspension/appeal',
  summary: 'Answer a suspension, once',
  auth: 'anyone',
  body: appealBody,
  response: { 200: messageResponse },
})

export const deskAppeal = z.object({
  /** The id of the member. */
  id: z.int(),
  username: z.string(),
  rule: z.enum(siteRuleNames),
  reason: z.string(),
  ends_at: z.nullable(moment),
  appeal: z.string(),
  appealed_at: moment,
})
export type DeskAppeal = z.output<typeof deskAppeal>

export const listAppeals = endpoint({
  method: 'GET',
  path: '/desk/appeals',
  summary: 'List the appeals of suspended members that wait for an answer, newest first',
  auth: 'moderator',
  response: { 200: z.array(deskAppeal) },
})
