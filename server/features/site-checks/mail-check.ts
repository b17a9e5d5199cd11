import { createTransport } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { renderMail } from '#server/platform/render-mail.ts'
import {
  type CheckedSite,
  failure,
  isUnresolved,
  type Outcome,
  ok,
  reasonOf,
  type SiteCheck,
  type Text,
  warning,
} from './check.ts'
import { testMail } from './mails/test.ts'
import { isLocal } from './web-checks.ts'

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** How mails are protected on their way to the mail server. */
type Encryption = 'required' | 'not required' | 'none'

export const mailCheck = {
  name: 'mail',
  async check(site) {
    const { smtpUrl } = site.mail
    if (smtpUrl === undefined)
      return warning(
        (t) => t('Without a mail server, mails are only stored in the outbox.'),
        (t) => t('Set SMTP_URL.'),
      )
    try {
      const encryption = await encryptionOf(smtpUrl)
      await tryMail(site, smtpUrl)
      return outcomeOf(encryption, new URL(smtpUrl).hostname, site.testMail?.to)
    } catch (error) {
      const reason = reasonOf(error)
      if (isUnresolved(error))
        return warning(
          (t) => t('The mail server can not be looked up from here: {reason}.', { reason }),
          (t) => t('Without internet that is expected. Otherwise correct the host in SMTP_URL.'),
        )
      return failure(
        (t) => t('The mail server does not take mails: {reason}.', { reason }),
        (t) =>
          t(
            'Compare SMTP_URL, SMTP_PASSWORD and MAIL_FROM with what your mail provider says, and look whether the firewall lets the port out.',
          ),
      )
    }
  },
} as const satisfies SiteCheck

function outcomeOf(encryption: Encryption, host: string, to: string | undefined): Outcome {
  const says: Text = (t) =>
    to === undefined
      ? t('The mail server {host} accepts the login.', { host })
      : t('The mail server {host} has taken a test mail to {to}.', { host, to })
  if (encryption === 'required' || isLocal(host)) return ok(says)
  if (encryption === 'none')
    return warning(
      (t) => t('The mail server {host} takes mails, but unencrypted.', { host }),
      (t) => t('Use a port with encryption, often 587, and end SMTP_URL with ?requireTLS=true.'),
    )
  return warning(
    (t) =>
      t('Mails to {host} are encrypted by STARTTLS, but not if somebody on the way suppresses it.', { host }),
    (t) => t('End SMTP_URL with ?requireTLS=true.'),
  )
}

/** Connects without a login. Throws if the server does not answer, or not with the encryption that is required. */
async function encryptionOf(url: string): Promise<Encryption> {
  const options = parseConnectionUrl(url)
  const connection = new SMTPConnection({ ...options, ...timeouts })
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject)
      connection.connect(() => resolve())
    })
    if (!connection.secure) return 'none'
    return options.secure || options.requireTLS ? 'required' : 'not required'
  } finally {
    connection.on('error', () => {})
    connection.close()
  }
}

/** Sends the test mail, or logs in only. Throws if the mail server refuses. */
async function tryMail({ mail, testMail: test, ...context }: CheckedSite, url: string): Promise<void> {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  try {
    if (test) await transport.sendMail({ from: mail.from, ...renderMail(testMail(test.to, test.t), context) })
    else await transport.verify()
  } finally {
    transport.close()
  }
}
