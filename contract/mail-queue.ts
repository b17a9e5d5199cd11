import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { deskActor } from './desk.ts'
import { endpoint } from './endpoint.ts'
import { moment } from './fields.ts'
import { emailField } from './member-fields.ts'
import { msg } from './message.ts'

export const mailQueueMessages = {
  noSuchJob: msg('This job has not failed for good. It may have been retried or dropped.'),
  tooManyTests: msg('You can send {max} test mails a day', { max: limits.testMailsPerDay }),
  testSent: msg('The test mail is on its way. If it does not arrive, look here for its error.'),
} as const

/** The states of jobs: to run, to run again after an error, running, and failed for good. */
export const queuedStates = ['waiting', 'retrying', 'running', 'failed'] as const

const queuedJob = z.object({
  id: z.uuid(),
  kind: z.string(),
  tries: z.int(),
  /** When it failed for good, or when it is tried again. */
  at: moment,
  /** The last error. */
  error: z.nullable(z.string()),
  /** The member that it is about. */
  member: deskActor,
})
export type QueuedJob = z.output<typeof queuedJob>

export const mailQueue = z.object({
  /** The jobs by kind and state, with the time since which the oldest is queued. */
  counts: z.array(
    z.object({ kind: z.string(), state: z.enum(queuedStates), count: z.int(), oldest_at: moment }),
  ),
  /** The newest jobs that failed for good. */
  failed: z.array(queuedJob),
  /** Jobs that are tried again, the next ones first. */
  retrying: z.array(queuedJob),
  /** The members whose address refused a mail for good, newest first. */
  refused: z.array(z.object({ address: z.string(), username: z.string(), refused_at: moment })),
  /** How many invitations were refused for good. Their addresses are not kept. */
  refused_invitations: z.int(),
  unconfirmed: z.object({
    count: z.int(),
    /** The newest members who have not confirmed their address. */
    members: z.array(
      z.object({
        id: z.int(),
        username: z.string(),
        registered_at: moment,
        /** When the last confirmation mail was sent. */
        asked_at: z.nullable(moment),
        /** How many mails wait for the confirmation. */
        waiting: z.int(),
      }),
    ),
  }),
})
export type MailQueue = z.output<typeof mailQueue>

export const getMailQueue = endpoint({
  method: 'GET',
  path: '/desk/mail',
  summary: 'Get the state of the job queue and of the addresses that get no mail',
  auth: 'operator',
  response: { 200: mailQueue },
})

/** One failed job, or all of them without an id. */
const failedJobs = z.object({ id: z.optional(z.uuid()) })
const counted = z.object({ count: z.int() })

export const retryJobs = endpoint({
  method: 'POST',
  path: '/desk/mail/retry',
  summary: 'Try failed jobs again',
  auth: 'operator',
  body: failedJobs,
  notFound: mailQueueMessages.noSuchJob,
  response: { 200: counted },
})

export const dropJobs = endpoint({
  method: 'POST',
  path: '/desk/mail/drop',
  summary: 'Delete failed jobs',
  auth: 'operator',
  body: failedJobs,
  notFound: mailQueueMessages.noSuchJob,
  response: { 200: counted },
})

export const testMail = z.object({ email: emailField(msg('Invalid email address')) })

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/desk/mail/test',
  summary: 'Send a test mail',
  auth: 'operator',
  body: testMail,
  response: { 202: z.object({ message: z.string() }) },
})
