import type { Deps } from '#server/deps.ts'
import { type JobKind, jobKind } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail.ts'
import { confirmedAddressee } from './addressee.ts'
import { createConfirmationToken } from './email-confirmation.ts'
import {
  sendConfirmationMail,
  sendEmailChangedMail,
  sendPasswordChangedMail,
  sendResetMail,
  sendWelcomeMail,
} from './job-kinds.ts'
import { unconfirmedMail } from './mail-limit.ts'
import { confirmationMail } from './mails/confirmation.ts'
import { emailChangedMail } from './mails/email-changed.ts'
import { passwordChangedMail } from './mails/password-changed.ts'
import { passwordResetMail } from './mails/password-reset.ts'
import { welcomeMail } from './mails/welcome.ts'
import { createResetToken } from './password-reset.ts'
import {
  type AddresseeRow,
  deleteExpiredAttempts,
  deleteExpiredSessions,
  deleteExpiredTokens,
  findAddressee,
} from './queries.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-logins')

type JobDeps = Pick<Deps, 'db' | 'jobs' | 'limits' | 'mailer' | 'publicUrl' | 'site'>

export function registerAuthJobs({ db, jobs, limits, mailer, publicUrl, site }: JobDeps) {
  const sendToUnconfirmed = unconfirmedMail(limits)
  const sendResetToUnconfirmed = unconfirmedMail(limits, 'reset')
  const context = { publicUrl, supportEmail: site.support_email }

  /** Registers a handler that receives the member. The job does nothing if the member is deleted. */
  function handle<Data extends { user_id: number }>(
    kind: JobKind<Data>,
    work: (member: AddresseeRow, data: Data) => Promise<void>,
  ) {
    jobs.handle(kind, async (data) => {
      const member = await findAddressee(db, data.user_id)
      if (member) await work(member, data)
    })
  }

  /** Creates and sends a mail unless the limit is reached. Only then it is created, because its link invalidates the previous one. */
  async function sendLimited(
    to: { address: string; isConfirmed: boolean },
    createMail: () => Promise<Mail> | Mail,
    toUnconfirmed = sendToUnconfirmed,
  ) {
    const send = async () => mailer.send(await createMail())
    if (to.isConfirmed) await send()
    else await toUnconfirmed(to.address, send)
  }
  const addressOf = ({ email, email_confirmed_at }: AddresseeRow) => ({
    address: email,
    isConfirmed: email_confirmed_at !== null,
  })

  handle(sendWelcomeMail, (member) =>
    sendLimited(addressOf(member), async () =>
      welcomeMail(member, await createConfirmationToken(db, member), context),
    ),
  )
  handle(sendConfirmationMail, (member) =>
    sendLimited(addressOf(member), async () =>
      confirmationMail(member, await createConfirmationToken(db, member), context),
    ),
  )
  handle(sendResetMail, (member) =>
    sendLimited(
      addressOf(member),
      async () => passwordResetMail(member, await createResetToken(db, member.id), context),
      sendResetToUnconfirmed,
    ),
  )
  jobs.handle(sendPasswordChangedMail, async (data) => {
    const member = await confirmedAddressee(db, sendPasswordChangedMail, data)
    if (member) await mailer.send(passwordChangedMail(member, context))
  })
  handle(sendEmailChangedMail, (member, { old_email, was_confirmed }) =>
    sendLimited({ address: old_email, isConfirmed: was_confirmed }, () =>
      emailChangedMail(member, old_email, context),
    ),
  )

  jobs.repeat(cleanUp, '17 * * * *', async () => {
    await deleteExpiredSessions(db)
    await deleteExpiredAttempts(db)
    await deleteExpiredTokens(db)
  })
}
