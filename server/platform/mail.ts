import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { defaultSiteName } from '#contract/constants.ts'
import type { RunningJob } from './jobs.ts'
import { defersMailbox, isAboutReceiver, refusesMailbox } from './mail-refusals.ts'
import { type Mail, type MailContent, type MailContext, renderMail } from './render-mail.ts'

export interface Mailer {
  /**
   * Renders and sends the mail of a job. Resolves when the mail server (or the outbox) has accepted it, or has refused its receiver for
   * good; throws otherwise. All attempts of the job have the same Message-ID, because a mail server may have accepted a mail although
   * the attempt failed.
   */
  send(mail: MailContent, job: RunningJob): Promise<void>
  /** Returns a mail as `send` sends it. */
  render(mail: MailContent): Mail
  /** Connects and logs in to the mail server. Throws if it refuses. */
  check(): Promise<void>
  close(): void
}

/** Tells how an attempt ended. One that failed, or that the mailbox has deferred, is repeated; a refused one is not. */
export type MailOutcome = 'sent' | 'failed' | 'deferred' | 'refused'

export interface MailerOptions extends MailContext {
  /** Is called after each attempt. Does not throw, because the mail would be sent again. */
  readonly onOutcome: (outcome: MailOutcome) => Promise<void>
  /** Is called with an address whose mailbox takes no mail. */
  readonly onRefused: (address: string) => Promise<void>
}

/** A mail with the headers that name it and its thread (RFC 5322, section 3.6.4). */
interface NamedMail extends Mail {
  readonly messageId: string
  readonly inReplyTo?: string
  readonly references?: string
}

function mailerWith(
  options: MailerOptions,
  deliver: (mail: NamedMail) => Promise<unknown>,
): Pick<Mailer, 'send' | 'render'> {
  const render = (mail: MailContent) => renderMail(mail, options)
  const { hostname } = new URL(options.publicUrl)
  const idOf = (name: string) => `<${name}@${hostname}>`
  return {
    async send(mail, { id, isLastAttempt }) {
      const rendered = render(mail)
      try {
        const thread = rendered.thread === undefined ? undefined : idOf(rendered.thread)
        await deliver({
          ...rendered,
          messageId: idOf(id),
          ...(thread !== undefined && { inReplyTo: thread, references: thread }),
        })
      } catch (error) {
        const isRefused = refusesMailbox(error)
        // A dead letter asks the operator to act, who can do nothing about the mailbox of one receiver.
        const isGivenUp = isRefused || (isLastAttempt && isAboutReceiver(error))
        const repeated = defersMailbox(error) ? 'deferred' : 'failed'
        await options.onOutcome(isGivenUp ? 'refused' : repeated)
        if (isRefused) await options.onRefused(mail.to)
        if (!isGivenUp) throw error
        return
      }
      await options.onOutcome('sent')
    },
    render,
  }
}

/** Returns the configured sender, under the name that an operator has saved. */
function senderOf({ from, site }: MailerOptions & { from: string }) {
  const { name } = site()
  const [configured] = addressparser(from, { flatten: true })
  if (name === defaultSiteName || configured === undefined) return from
  return { name, address: configured.address }
}

/** Creates a mailer with a pool of SMTP connections. */
export function smtpMailer(options: MailerOptions & { url: string; from: string }): Mailer {
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    ...mailerWith(options, (mail) => transport.sendMail({ from: senderOf(options), ...mail })),
    async check() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

export interface OutboxMail extends Mail {
  readonly id: string
  readonly sent_at: string
  /** The header section as a mail server would get it. */
  readonly header: string
}

const outboxDays = 30

/** Creates a mailer that stores mails as files for 30 days, for a machine without a mail server. */
export function outboxMailer(options: MailerOptions & { folder: string; from: string }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    ...mailerWith(options, async (mail) => {
      await mkdir(options.folder, { recursive: true, mode: 0o700 })
      const now = new Date()
      const id = `${fileTime(now)}-${randomUUID()}`
      const { message } = await transport.sendMail({ from: senderOf(options), ...mail })
      const [header = ''] = message.toString().split('\r\n\r\n', 1)
      const stored: OutboxMail = { id, sent_at: now.toISOString(), header, ...mail }
      const path = join(options.folder, `${id}.json`)
      await writeFile(`${path}.part`, JSON.stringify(stored, null, 2))
      await rename(`${path}.part`, path)
      const oldest = fileTime(new Date(now.getTime() - outboxDays * 24 * 60 * 60 * 1000))
      for (const file of await readdir(options.folder))
        if (file < oldest) await rm(join(options.folder, file), { force: true })
    }),
    check: async () => {},
    close: () => {},
  }
}

/** Returns a time as the start of a file name. Such names sort by time. */
function fileTime(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, '-')
}

const maxShownMails = 200

/** Returns the newest mails of the outbox, newest first. */
export async function readOutbox(folder: string): Promise<OutboxMail[]> {
  const files = await readdir(folder).catch(() => [])
  const newest = files
    .filter((file) => file.endsWith('.json'))
    .sort()
    .reverse()
    .slice(0, maxShownMails)
  return Promise.all(
    newest.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as OutboxMail),
  )
}
