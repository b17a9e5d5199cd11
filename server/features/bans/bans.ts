import { domainToASCII } from 'node:url'
import { type BanKind, banMessages, type NewBan } from '#contract/bans.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import { loopback, overlaps, readNetwork } from '#server/platform/http/network.ts'
import type { Db } from '#server/tables.ts'
import {
  findBan,
  findBans,
  insertBan,
  insertNetwork,
  listBans,
  lockBan,
  updateLifted,
  updateReopened,
} from './queries.ts'

/** The bans that the desk shows. */
const maxBans = 500

export const activeBans = (db: Db) => listBans(db, maxBans)
export const storeBan = insertBan
export const endBan = updateLifted
export const reopenBan = updateReopened
export const banById = findBan
export const lockStoredBan = lockBan

/** Throws `forbidden` for a registration from a banned network, and `invalid` for an e-mail address of a banned domain. */
export async function requireNoBan(
  db: Db,
  { email, network }: { email: string; network?: string },
): Promise<void> {
  const kinds = await bansOf(db, { email, network })
  if (kinds.includes('network')) throw new AppError('forbidden', banMessages.network)
  if (kinds.includes('domain')) throw invalid('email', banMessages.domain)
}

/** Returns whether the domain of an e-mail address, or the network if there is one, is banned. */
export async function isBanned(
  db: Db,
  from: { readonly email: string; readonly network?: string },
): Promise<boolean> {
  return (await bansOf(db, from)).length > 0
}

function bansOf(
  db: Db,
  { email, network }: { email: string; network?: string | undefined },
): Promise<BanKind[]> {
  return findBans(db, network, domainsOf(email))
}

/** Stores from which network a member registers, for 30 days. */
export const storeNetwork = insertNetwork

/**
 * Returns the value of a ban in the form in which it is compared. Throws `invalid` for a text that is no network or domain, and for a
 * network of the machine itself or of its proxies.
 */
export function bannedValue(
  { kind, value }: Pick<NewBan, 'kind' | 'value'>,
  proxies: readonly string[],
): string {
  const read = readers[kind](value)
  if (read === undefined)
    throw invalid('value', kind === 'network' ? banMessages.notNetwork : banMessages.notDomain)
  if (kind === 'network' && overlaps(read, [...loopback, ...proxies]))
    throw invalid('value', banMessages.protected)
  return read
}

const readers: Readonly<Record<BanKind, (text: string) => string | undefined>> = {
  network: readNetwork,
  domain: readDomain,
}

/** Characters that would end the domain of a URL. */
const urlSyntax = /[/?#@:\\\s]/

/** Labels with at least one dot. A domain that ends with a number is an address. */
const domainPattern = /^(?=.{1,253}$)(?:[a-z\d_-]{1,63}\.)+(?!\d+$)[a-z\d-]{1,63}$/

/** Returns a domain in small ASCII letters; undefined for another text and for a top-level domain. */
function readDomain(text: string): string | undefined {
  const name = text.replace(/^@/, '').replace(/\.$/, '')
  if (urlSyntax.test(name)) return undefined
  const domain = domainToASCII(name)
  return domainPattern.test(domain) ? domain : undefined
}

/** Returns the domain of an address and the domains around it, without the top-level domain. */
function domainsOf(email: string): string[] {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const labels = (domainToASCII(domain) || domain.toLowerCase()).split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}
