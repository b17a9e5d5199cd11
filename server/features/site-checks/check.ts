import type { Resolver } from 'node:dns/promises'
import type { Translator } from '#server/platform/i18n/translator.ts'
import type { MailContext } from '#server/platform/render-mail.ts'
import type { Db } from '#server/tables.ts'

/** A text that is written when somebody reads it, in their language. */
export type Text = (t: Translator) => string

/** What a check has found. `todo` says what the operator can do, unless all is well. */
export interface Outcome {
  readonly state: 'ok' | 'warning' | 'error'
  readonly says: Text
  readonly todo?: Text
}

/** The site that is checked: its database, and its settings. */
export interface CheckedSite {
  readonly db: Db
  /** The folder of the migrations of this release. */
  readonly migrations: string
  /** The URL that members open, with which links in mails start. */
  readonly publicUrl: string
  /** True if photos are in a bucket. */
  readonly hasBucket: boolean
  /** The folder of photos on disk. */
  readonly dataDir: string
  /** Where PostgreSQL has its data if it is on this machine and does not say it. */
  readonly databaseDir: string | undefined
  /** Without a URL, mails are stored in the outbox. */
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string }
  /** A test mail that is sent. Without it, only the login at the mail server is checked. */
  readonly testMail?: { readonly to: string; readonly t: Translator } | undefined
  readonly site: MailContext['site']
  /** Where flaws are reported, if not to the support contact. */
  readonly securityContact: string | undefined
  /** The name of the DKIM key of the mail server, below `_domainkey`. */
  readonly dkimSelector?: string | undefined
  readonly resolver: Pick<Resolver, 'resolveTxt'>
  /** A certificate authority instead of the default ones. */
  readonly ca?: string | undefined
}

export interface SiteCheck {
  readonly name: string
  /** True if it can say nothing without the database. */
  readonly needsDatabase?: boolean
  /** Returns undefined if there is nothing to check, like the domain of a site without a mail server. */
  readonly check: (site: CheckedSite) => Promise<Outcome | undefined>
}

export const ok = (says: Text): Outcome => ({ state: 'ok', says })
export const warning = (says: Text, todo: Text): Outcome => ({ state: 'warning', says, todo })
export const failure = (says: Text, todo: Text): Outcome => ({ state: 'error', says, todo })

/** Returns the message of an error, also of one that stands for several attempts to connect. */
export function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : String(first)
}

/** The codes of Node and nodemailer for names that can not be resolved, as without internet. */
const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'EDNS'])

export function isUnresolved(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unresolved.has(String(error.code))
}

/** Returns whether an address, a URL or a domain is that of the default settings. */
export function isExample(text: string): boolean {
  return /[@./]example$/.test(text)
}
