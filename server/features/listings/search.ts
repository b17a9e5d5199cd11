import type { Insertable, Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/deps.ts'
import { nowhere, placeOf } from '#server/features/places/places.ts'
import type { Tables } from '#server/tables.ts'
import { insertListing } from './queries.ts'
import {
  deleteTerms,
  deleteUnusedTerms,
  findText,
  hasUnfiledListing,
  insertTerms,
  listSimilarTerms,
  listTermsStarting,
  listUnfiledListings,
  listUnplacedMembers,
  listUsage,
  listVisibleTerms,
  mostCounted,
  type TextRow,
  type Usage,
  updateFiled,
  updatePlace,
} from './search-queries.ts'
import { bitsOf, forgiven, slipsBetween, termsOf, termsOfQuery, termsVersion, type Word } from './terms.ts'

/** Files listings under their words, instead of what they were filed under before. */
async function fileListings(tx: Transaction<Tables>, listings: readonly TextRow[]): Promise<void> {
  const ids = listings.map(({ id }) => id)
  if (ids.length === 0) return
  await deleteTerms(tx, ids)
  const filed = listings.map(({ id, ...text }) => ({ listing_id: id, terms: termsOf(text) }))
  await insertTerms(tx, filed)
  await updateFiled(
    tx,
    ids,
    filed.map(({ terms }) => bitsOf(terms.map(({ term }) => term))),
    termsVersion,
  )
}

/** Files a listing whose words may have changed. */
export async function fileAnew(tx: Transaction<Tables>, id: number): Promise<void> {
  const text = await findText(tx, id)
  if (text) await fileListings(tx, [text])
}

/** Inserts a listing and files it. Returns its id. */
export async function insertFiledListing(
  tx: Transaction<Tables>,
  row: Omit<Insertable<Tables['listings']>, 'terms_version' | 'word_bits'>,
): Promise<number> {
  const terms = termsOf(row)
  const word_bits = bitsOf(terms.map(({ term }) => term))
  const id = await insertListing(tx, { ...row, terms_version: termsVersion, word_bits })
  await insertTerms(tx, [{ listing_id: id, terms }])
  return id
}

const batch = 200

/** Files what no door has filed: rows from before there was a search, and all after the rules have changed. */
export async function fileWhatIsNot(db: Deps['db']): Promise<void> {
  for (let filed = batch; filed === batch; ) {
    filed = await db.transaction().execute(async (tx) => {
      const listings = await listUnfiledListings(tx, termsVersion, batch)
      await fileListings(tx, listings)
      return listings.length
    })
  }
}

/** Whether every listing is filed by the rules of today. */
export async function isMarketFiled(db: Deps['db']): Promise<boolean> {
  return !(await hasUnfiledListing(db, termsVersion))
}

/** Looks up the postcodes of members from before places were kept. */
export async function placeMembers(db: Deps['db']): Promise<void> {
  for (let found = batch; found === batch; ) {
    const members = await listUnplacedMembers(db, batch)
    for (const member of members) await updatePlace(db, member, placeOf(member.zip_code) ?? nowhere)
    found = members.length
  }
}

/** Forgets the words that went with their last listing. */
export async function forgetWords(db: Deps['db']): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; )
    after = await deleteUnusedTerms(db, after, 1000)
}

/** How often something is found, as far as it is counted, and in which share of the newest listings if it is found more often. */
export interface Count {
  readonly used: number
  readonly share: number
}

/** A word of a search as it can be looked up. */
export interface Sought extends Count {
  readonly terms: Word
  readonly inTitles: Count
}

/**
 * The words of a search, the rarest first. One that no listing has of those that the caller may see is taken for the words that
 * begin with it if it is the last, as somebody may still be typing, else for the most common of those that are the fewest slips
 * away.
 */
export async function soughtWords(db: Deps['db'], caller: number, q: string): Promise<Sought[]> {
  const words = termsOfQuery(q)
  if (words.length === 0) return []
  const usage = await visibleUsage(db, caller, words.flat())
  const sought: Sought[] = []
  for (const [index, word] of words.entries()) {
    const found = together(word, usage)
    const isLast = index === words.length - 1
    sought.push(found.used > 0 ? found : ((await meant(db, caller, word[0] ?? '', isLast)) ?? found))
  }
  return sought.sort(rarerFirst)
}

/** For sorting by how common something is. */
export function rarerFirst(one: Count, other: Count): number {
  return one.share - other.share || one.used - other.used
}

/** So many listings a rare word has at most, each counted for every term it is found by. */
export const mostRare = 2 * mostCounted

/** Of so many all rows can be read. */
export const mostByRow = mostCounted

/** So few listings have the word that all of them can be looked at. */
export function isRare({ used, share }: Count, most = mostRare): boolean {
  return share === 0 && used < most
}

/**
 * What is common stays so for a while: it is not counted again by everybody who looks for tomatoes. What is less common, but
 * not about to vanish, stays so for a moment.
 */
const commonMs = 600_000
const lessCommonMs = 20_000
const fewAtLeast = 64
const knownTerms = new WeakMap<Deps['db'], LRUCache<string, Usage>>()

async function usageByTerm(db: Deps['db'], terms: readonly string[]): Promise<ReadonlyMap<string, Usage>> {
  const remembered = knownTerms.get(db) ?? new LRUCache<string, Usage>({ max: 5000, ttl: commonMs })
  knownTerms.set(db, remembered)
  const known = terms.flatMap((term) => remembered.get(term) ?? [])
  const byTerm = new Map(known.map((usage) => [usage.term, usage]))
  const unknown = terms.filter((term) => !byTerm.has(term))
  for (const usage of unknown.length > 0 ? await listUsage(db, unknown) : []) {
    byTerm.set(usage.term, usage)
    const isCommon = usage.used === mostCounted && usage.titled === mostCounted
    if (isCommon || (usage.used >= fewAtLeast && usage.titled > 0))
      remembered.set(usage.term, usage, { ttl: isCommon ? commonMs : lessCommonMs })
  }
  return byTerm
}

/** Without the terms of which the caller sees no listing: a word that others keep to themselves is like one that nobody has. */
async function visibleUsage(
  db: Deps['db'],
  caller: number,
  terms: readonly string[],
): Promise<ReadonlyMap<string, Usage>> {
  const usage = await usageByTerm(db, terms)
  const kept = [...usage.values()].filter(({ used, is_public }) => used > 0 && !is_public)
  if (kept.length === 0) return usage
  const visible = new Set(
    await listVisibleTerms(
      db,
      caller,
      kept.map(({ term }) => term),
    ),
  )
  return new Map([...usage].filter(([term, { is_public }]) => is_public || visible.has(term)))
}

function together(terms: Word, usage: ReadonlyMap<string, Usage>): Sought {
  const found = terms.flatMap((term) => usage.get(term) ?? []).filter(({ used }) => used > 0)
  return {
    terms: found.length > 0 ? found.map(({ term }) => term) : terms,
    ...sum(found.map(({ used, among }) => countOf(used, among))),
    inTitles: sum(found.map(({ titled, titled_among }) => countOf(titled, titled_among))),
  }
}

function countOf(used: number, among: number): Count {
  return { used, share: used < mostCounted ? 0 : used / among }
}

function sum(counts: readonly Count[]): Count {
  return {
    used: counts.reduce((all, { used }) => all + used, 0),
    // Most listings that have one of a word's terms have the others, too.
    share: Math.max(0, ...counts.map(({ share }) => share)),
  }
}

const mostBeginnings = 6

async function meant(
  db: Deps['db'],
  caller: number,
  term: string,
  isLast: boolean,
): Promise<Sought | undefined> {
  if (isLast && term.length > 2) {
    const longer = await listTermsStarting(db, term)
    const usage = await visibleUsage(db, caller, longer)
    const common = longer
      .filter((word) => (usage.get(word)?.used ?? 0) > 0)
      .sort((a, b) => (usage.get(b)?.used ?? 0) - (usage.get(a)?.used ?? 0))
    if (common.length > 0) return together(common.slice(0, mostBeginnings), usage)
  }
  if (forgiven(term) === 0) return undefined
  const near = (await listSimilarTerms(db, term))
    .map((word) => ({ word, slips: slipsBetween(term, word) }))
    .filter(({ slips }) => slips <= forgiven(term))
  const usage = await visibleUsage(
    db,
    caller,
    near.map(({ word }) => word),
  )
  const used = (word: string) => usage.get(word)?.used ?? 0
  const [best] = near
    .filter(({ word }) => used(word) > 0)
    .sort((a, b) => a.slips - b.slips || used(b.word) - used(a.word) || (a.word < b.word ? -1 : 1))
  return best && together([best.word], usage)
}
