import { LRUCache } from 'lru-cache'
import type { Health, SiteFinding } from '#contract/health.ts'
import type { Deps } from '#server/deps.ts'
import { languageOf } from '#server/features/members/language.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import { countQueued, type QueuedCount } from '#server/platform/jobs.ts'
import type { Db } from '#server/tables.ts'
import { failure, type Outcome, warning } from './check.ts'
import { checkLocally, checkSite, type Finding } from './checks.ts'
import type { NodeState } from './node-state.ts'
import { countNodes, findDatabaseFolder, findNewestBackup, findServerVersion, sumPhotos } from './queries.ts'

/** Several operators who look at once cost one look. */
const cachedMs = 5000

type Facts = Omit<Health, 'alerts'> & {
  readonly found: readonly (Omit<SiteFinding, 'says' | 'todo'> & Outcome)[]
}

/** Returns the health of the site at a moment, and the checks that ask other machines, both in the language of a member. */
export function siteHealth({ db, node, translatorFor }: Pick<Deps, 'db' | 'node' | 'translatorFor'>) {
  const facts = new LRUCache<'now', Facts>({ max: 1, ttl: cachedMs, fetchMethod: () => readFacts(db, node) })
  const checks = new LRUCache<'now', Finding[]>({
    max: 1,
    ttl: cachedMs,
    fetchMethod: () => checkSite(node.site),
  })
  const translatorOf = async (member: number) => translatorFor(await languageOf(db, member))
  return {
    async now(member: number): Promise<Health> {
      const [{ found, ...health }, t] = await Promise.all([facts.forceFetch('now'), translatorOf(member)])
      return { ...health, alerts: found.map((finding) => told(finding, t)) }
    },
    async checks(member: number): Promise<SiteFinding[]> {
      const [findings, t] = await Promise.all([checks.forceFetch('now'), translatorOf(member)])
      return findings.map((finding) => told(finding, t))
    },
  }
}

function told({ key, state, says, todo }: { key: SiteFinding['key'] } & Outcome, t: Translator): SiteFinding {
  return { key, state, says: says(t), todo: todo?.(t) ?? null }
}

async function readFacts(db: Db, node: NodeState): Promise<Facts> {
  const [nodes, { version }, database, photos, backup_at, counts, findings] = await Promise.all([
    countNodes(db),
    findServerVersion(db),
    findDatabaseFolder(db),
    sumPhotos(db),
    findNewestBackup(db),
    countQueued(db),
    checkLocally(node.site),
  ])
  const [redis, replica = null] = [node.redis(), node.replica()]
  return {
    release: node.release,
    nodes,
    postgresql: { version, bytes: database?.bytes ?? 0 },
    replica,
    redis,
    photos: { ...photos, in_bucket: node.site.hasBucket },
    backup_at: backup_at ?? null,
    found: [...findings, ...alertsOf({ redis, replica, counts })],
  }
}

/** A job that waits as long is late: each is tried within seconds. */
const lateMs = 10 * 60 * 1000

function alertsOf({
  redis,
  replica,
  counts,
}: Pick<Health, 'redis' | 'replica'> & { counts: readonly QueuedCount[] }) {
  const found: Facts['found'][number][] = []
  if (redis === false)
    found.push({
      key: 'redis',
      ...failure(
        (t) => t('This node is not connected to Redis, so members on other nodes are told late.'),
        (t) => t('Look whether Redis runs and REDIS_URL is right.'),
      ),
    })
  if (replica?.is_used === false)
    found.push({
      key: 'replica',
      ...warning(
        (t) => t('The replica is away or too late, so the primary does all the work.'),
        (t) => t('Look whether the replica runs and receives from the primary.'),
      ),
    })
  const failed = sumOf(counts, 'failed')
  if (failed > 0)
    found.push({
      key: 'jobs',
      ...warning(
        (t) => t('{failed, plural, one {# job has} other {# jobs have}} failed for good.', { failed }),
        (t) => t('Read the errors in Mail and jobs, and retry or drop the jobs.'),
      ),
    })
  const late = counts.filter(
    ({ state, due_at }) => state === 'waiting' && Date.now() - Date.parse(due_at) > lateMs,
  )
  if (late.length > 0)
    found.push({
      key: 'jobs',
      ...warning(
        (t) =>
          t('Jobs wait for more than ten minutes: {kinds}.', { kinds: t.list(late.map(({ kind }) => kind)) }),
        (t) => t('Look at the log of the nodes, and whether one runs.'),
      ),
    })
  return found
}

function sumOf(counts: readonly QueuedCount[], wanted: QueuedCount['state']): number {
  return counts.reduce((sum, { state, count }) => (state === wanted ? sum + count : sum), 0)
}
