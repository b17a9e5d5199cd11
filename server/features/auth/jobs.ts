import type { Deps } from '#server/deps.ts'
import { type JobKind, jobKind } from '#server/platform/jobs.ts'
import { type MailContent, renderMail } from '#server/platform/render-mail.ts'
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
import {
  type AddresseeRow,
  deleteExpiredAttempts,
  deleteExpiredSessions,
  deleteExpiredTokens,
  findAddressee,
} from './queries.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-logins')

interface Receiver {
  readonly address: string
  readonly isConfirmed: boolean
}

type JobDeps = Pick<Deps, 'db' | 'jobs' | 'limits' | 'mailer' | 'publicUrl' | 'site'>

export function registerAuthJobs({ db, jobs, limits, mailer, publicUrl, site }: JobDeps) {
  const sendToUnconfirmed = createUnconfirmedMailLimit(limits)
  const sendResetToUnconfirmed = createUnconfirmedMailLimit(limits, 'reset')
  const context = { publicUrl, site }

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

  /** Creates and sends a mail unless the limit is reached. Over the limit none is created: its link would invalidate the previous one. */
  async function sendLimited(
    to: Receiver,
    createMail: () => Promise<MailContent | undefined> | MailContent,
    toUnconfirmed = sendToUnconfirmed,
  ) {
    const send = async () => {
      const mail = await createMail()
      if (mail) await mailer.send(renderMail(mail, context))
    }
    if (to.isConfirmed) await send()
    else await toUnconfirmed(to.address, send)
  }

  handle(sendWelcomeMail, (member) =>
    sendLimited(receiverOf(member), async () =>
      welcomeMail(member, await createConfirmationToken(db, member)),
    ),
  )
  handle(sendConfirmationMail, (member) =>
    sendLimited(receiverOf(member), async () =>
      confirmationMail(member, await createConfirmationToken(db, member)),
    ),
  )
  handle(sendResetMail, (member) =>
    sendLimited(
      receiverOf(member),
      async () => {
        const token = await createResetToken(db, member)
        return token === undefined ? undefined : passwordResetMail(member, token)
      },
      sendResetToUnconfirmed,
    ),
  )
  jobs.handle(sendPasswordChangedMail, async (data) => {
    const member = await confirmedAddressee(db, sendPasswordChangedMail, data)
    if (member) await mailer.send(renderMail(passwordChangedMail(member, site.support_email), context))
  })
  handle(sendEmailChangedMail, (member, { old_email, was_confirmed }) =>
    sendLimited({ address: old_email, isConfirmed: was_confirmed }, () =>
      emailChangedMail(member, old_email, site.support_email),
    ),
  )

  jobs.repeat(cleanUp, '17 * * * *', async () => {
    await deleteExpiredSessions(db)
    await deleteExpiredAttempts(db)
    await deleteExpiredTokens(db)
  })
}

function receiverOf({ email, email_confirmed_at }: AddresseeRow): Receiver {
  return { address: email, isConfirmed: email_confirmed_at !== null }
}
