import type { Deps } from '#server/deps.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import { type JobKind, jobKind, type RunningJob } from '#server/platform/jobs.ts'
import type { MailContent } from '#server/platform/render-mail.ts'
import { confirmedAddressee } from './addressee.ts'
import { createConfirmationToken } from './email-confirmation.ts'
import {
  sendConfirmationMail,
  sendEmailChangedMail,
  sendPasswordChangedMail,
  sendResetMail,
  sendWelcomeMail,
} from './job-kinds.ts'
import { createUnconfirmedMailLimit } from './mail-limit.ts'
import {
  confirmationMail,
  emailChangedMail,
  passwordChangedMail,
  passwordResetMail,
  welcomeMail,
} from './mails/account.ts'
import { createResetToken } from './password-reset.ts'
import { deleteEndedPauses } from './pause-queries.ts'
import {
  type AddresseeRow,
  deleteExpiredAttempts,
  deleteExpiredSessions,
  deleteOldTokens,
  findAddressee,
} from './queries.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-logins')

interface Receiver {
  readonly address: string
  readonly isConfirmed: boolean
}

type JobDeps = Pick<Deps, 'db' | 'jobs' | 'limits' | 'mailer' | 'site' | 'translatorFor'>

export function registerAuthJobs(deps: JobDeps) {
  const { db, jobs, mailer, site, translatorFor } = deps
  const sendLimited = createLimitedSender(deps)
  const sendResetLimited = createLimitedSender(deps, 'reset')

  /** Registers a handler that receives the member and their translator. The job does nothing if the member is deleted. */
  function handle<Data extends { user_id: number }>(
    kind: JobKind<Data>,
    work: (member: AddresseeRow, t: Translator, job: RunningJob, data: Data) => Promise<void>,
  ) {
    jobs.handle(kind, async (data, job) => {
      const member = await findAddressee(db, data.user_id)
      if (member) await work(member, translatorFor(member.language), job, data)
    })
  }

  handle(sendWelcomeMail, (member, t, job, { is_approved }) =>
    sendLimited(receiverOf(member), job, async () =>
      welcomeMail(member, { token: await createConfirmationToken(db, member, job.id), is_approved }, t),
    ),
  )
  handle(sendConfirmationMail, (member, t, job) =>
    sendLimited(receiverOf(member), job, async () =>
      confirmationMail(member, await createConfirmationToken(db, member, job.id), t),
    ),
  )
  handle(sendResetMail, (member, t, job) =>
    sendResetLimited(receiverOf(member), job, async () => {
      const token = await createResetToken(db, member, job.id)
      return token === undefined ? undefined : passwordResetMail(member, token, t)
    }),
  )
  handle(sendPasswordChangedMail, async (_, t, job, data) => {
    const member = await confirmedAddressee(db, sendPasswordChangedMail, data)
    if (member) await mailer.send(passwordChangedMail(member, site.current().support_email, t), job)
  })
  handle(sendEmailChangedMail, (member, t, job, { old_email, was_confirmed }) =>
    sendLimited({ address: old_email, isConfirmed: was_confirmed }, job, () =>
      emailChangedMail(member, { oldEmail: old_email, supportEmail: site.current().support_email }, t),
    ),
  )

  jobs.repeat(cleanUp, '17 * * * *', () =>
    Promise.all([
      deleteExpiredSessions(db),
      deleteExpiredAttempts(db),
      deleteOldTokens(db),
      deleteEndedPauses(db),
    ]),
  )
}

/**
 * Returns a function that creates and sends a mail unless the limit is reached. Over the limit none is created: its link would invalidate
 * the previous one.
 */
function createLimitedSender({ limits, mailer }: JobDeps, counted?: 'reset') {
  const sendToUnconfirmed = createUnconfirmedMailLimit(limits, counted)
  return async (
    to: Receiver,
    job: RunningJob,
    createMail: () => Promise<MailContent | undefined> | MailContent,
  ) => {
    const send = async () => {
      const mail = await createMail()
      if (mail) await mailer.send(mail, job)
    }
    if (to.isConfirmed) await send()
    else await sendToUnconfirmed(to.address, send)
  }
}

function receiverOf({ email, email_confirmed_at }: AddresseeRow): Receiver {
  return { address: email, isConfirmed: email_confirmed_at !== null }
}
