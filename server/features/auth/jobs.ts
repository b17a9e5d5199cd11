import type { Deps } from '#server/deps.ts'
import { type JobKind, jobKind } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail.ts'
import { confirmedAddressee } from './addressee.ts'
import { openConfirmation } from './email-confirmation.ts'
import {
  sendConfirmationMail,
  sendEmailChangedMail,
  sendPasswordChangedMail,
  sendResetMail,
  sendWelcomeMail,
} from './job-kinds.ts'
import { unconfirmedMail } from './mail-limit.ts'
import { confirmEmail } from './mails/confirm-email.ts'
import { emailChanged } from './mails/email-changed.ts'
import { passwordChanged } from './mails/password-changed.ts'
import { resetPassword } from './mails/reset-password.ts'
import { welcome } from './mails/welcome.ts'
import { openReset } from './password-reset.ts'
import {
  type AddresseeRow,
  deleteExpiredAttempts,
  deleteExpiredSessions,
  deleteExpiredTokens,
  findAddressee,
} from './queries.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-logins')

type Needs = Pick<Deps, 'db' | 'jobs' | 'limits' | 'mailer' | 'publicUrl' | 'site'>

export function registerAuthJobs({ db, jobs, limits, mailer, publicUrl, site }: Needs) {
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

  /** Sends a mail within the limits. It is created only if it is sent, because its link invalidates the previous one. */
  async function send(
    to: { address: string; isConfirmed: boolean },
    makeMail: () => Promise<Mail> | Mail,
    sendLimited = sendToUnconfirmed,
  ) {
    const work = async () => mailer.send(await makeMail())
    if (to.isConfirmed) await work()
    else await sendLimited(to.address, work)
  }
  const addressOf = ({ email, email_confirmed_at }: AddresseeRow) => ({
    address: email,
    isConfirmed: email_confirmed_at !== null,
  })

  handle(sendWelcomeMail, (member) =>
    send(addressOf(member), async () => welcome(member, await openConfirmation(db, member), context)),
  )
  handle(sendConfirmationMail, (member) =>
    send(addressOf(member), async () => confirmEmail(member, await openConfirmation(db, member), context)),
  )
  handle(sendResetMail, (member) =>
    send(
      addressOf(member),
      async () => resetPassword(member, await openReset(db, member.id), context),
      sendResetToUnconfirmed,
    ),
  )
  jobs.handle(sendPasswordChangedMail, async (data) => {
    const member = await confirmedAddressee(db, sendPasswordChangedMail, data)
    if (member) await mailer.send(passwordChanged(member, context))
  })
  handle(sendEmailChangedMail, (member, { old_email, was_confirmed }) =>
    send({ address: old_email, isConfirmed: was_confirmed }, () => emailChanged(member, old_email, context)),
  )

  jobs.repeat(cleanUp, '17 * * * *', async () => {
    await deleteExpiredSessions(db)
    await deleteExpiredAttempts(db)
    await deleteExpiredTokens(db)
  })
}
