import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/deps.ts'
import { nowhere } from '#server/features/places/places.ts'
import type { Bookmark } from './cursor.ts'
import { filterChecks, titlesFirst } from './filters.ts'
import { everythingAt, tooMuch } from './groups.ts'
import { readWalk, visibility } from './queries.ts'
import type { Page } from './reading.ts'
import type { Sought } from './search.ts'
import { type Asked, headsFor } from './stretches.ts'

/** Where not too much is listed around, all of it is looked at in one go: what has the words in the title, then the rest. */
export async function readGlance(
  db: Deps['db'],
  asked: Asked,
  words: readonly Sought[],
  bookmark: Bookmark | undefined,
): Promise<Page | undefined> {
  const { caller, scope, sort, place, filters, limit } = asked
  const { places } = filters
  if (sort !== 'best' || !places || places.length > mostAtAGlance || !areTitlesTold(words)) return undefined
  if (scope.of !== 'public' && scope.of !== 'all') return undefined
  const crowds = crowdsKnown(db)
  const area = `${place} ${places.length}`
  if (crowds.has(area)) return undefined
  const turns = titlesFirst(words.map(({ terms }) => terms))
  const walk = everythingAt([...places, nowhere], turns, headsFor(asked, []))
  const checks = [...visibility(scope, caller), ...filterChecks(filters)]
  const inNoTitle = words.some(({ inTitles }) => inTitles.used === 0)
  const start = inNoTitle ? { ...walk.start, key: 1 } : walk.start
  const after = bookmark && bookmark.stretch >= start.key ? { id: bookmark.id, key: bookmark.stretch } : start
  const { rows, end } = await readWalk(db, walk, after, checks, limit + 1)
  if (end?.turn === tooMuch) {
    crowds.set(area, true)
    return undefined
  }
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : end
  return { rows: shown, next: last && { stretch: last.turn ?? 0, id: last.id, key: 0 } }
}

/** Of what has a word at least so much has it in the title, where the rest is looked at only when titles fill no page. */
const mostlyInTitles = 1 / 4

/** Few of what has the words have to be looked at to find those with the words in the title. */
function areTitlesTold(words: readonly Sought[]): boolean {
  if (words[0]?.used === 0) return false
  return words.every(
    ({ used, share, inTitles }) =>
      share === 0 ||
      inTitles.used === 0 ||
      (inTitles.share === 0
        ? inTitles.used > mostlyInTitles * used
        : inTitles.share > mostlyInTitles * share),
  )
}

/** So many places around are taken in at a glance. */
const mostAtAGlance = 640

/** Where there is more than a glance takes there stays more for a while. */
const crowdedMs = 600_000
const crowdsByDb = new WeakMap<Deps['db'], LRUCache<string, true>>()

function crowdsKnown(db: Deps['db']): LRUCache<string, true> {
  const known = crowdsByDb.get(db) ?? new LRUCache<string, true>({ max: 5000, ttl: crowdedMs })
  crowdsByDb.set(db, known)
  return known
}
