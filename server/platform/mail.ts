import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Counter } from 'prom-client'

/** A mail in HTML and plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Mailer {
  /** Resolves when the mail server (or the outbox) has accepted the mail; throws otherwise. */
  send(mail: Mail): Promise<void>
  close(): void
}

function countOutcomes(
  outcomes: Counter<'outcome'>,
  deliver: (mail: Mail) => Promise<unknown>,
): Mailer['send'] {
  return async (mail) => {
    try {
      await deliver(mail)
      outcomes.inc({ outcome: 'sent' })
    } catch (error) {
      outcomes.inc({ outcome: 'failed' })
      throw error
    }
  }
}

/** Creates a mailer with a pool of SMTP connections. */
export function smtpMailer(options: { url: string; from: string; outcomes: Counter<'outcome'> }): Mailer {
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
    send: countOutcomes(options.outcomes, (mail) => transport.sendMail({ from: options.from, ...mail })),
    close: () => transport.close(),
  }
}

export interface OutboxMail extends Mail {
  readonly id: string
  readonly sent_at: string
}

const outboxDays = 30

/** Creates a mailer that stores mails as files for 30 days, for a machine without a mail server. */
export function outboxMailer(options: { folder: string; outcomes: Counter<'outcome'> }): Mailer {
  return {
    send: countOutcomes(options.outcomes, async (mail) => {
      await mkdir(options.folder, { recursive: true, mode: 0o700 })
      const now = new Date()
      const id = `${fileTime(now)}-${randomUUID()}`
      const stored: OutboxMail = { id, sent_at: now.toISOString(), ...mail }
      const path = join(options.folder, `${id}.json`)
      await writeFile(`${path}.part`, JSON.stringify(stored, null, 2))
      await rename(`${path}.part`, path)
      const oldest = fileTime(new Date(now.getTime() - outboxDays * 24 * 60 * 60 * 1000))
      for (const file of await readdir(options.folder))
        if (file < oldest) await rm(join(options.folder, file), { force: true })
    }),
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
