import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'

const run = promisify(execFile)
const testSettings = { fsync: 'off', shared_buffers: '32MB', max_connections: '100', autovacuum: 'off' }

/** Starts a PostgreSQL and a streaming replica of it behind a TCP proxy. */
export async function startReplicatedPostgres(settings: Readonly<Record<string, string>> = testSettings) {
  await using building = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-replica-'))
  building.defer(() => rm(folder, { recursive: true, force: true }))
  const [primaryFolder, replicaFolder] = [join(folder, 'primary'), join(folder, 'replica')]
  const copyFolder = join(folder, 'copy')

  const created = await startEmbeddedPostgres({ folder: primaryFolder, settings })
  await created.stop()
  await writeFile(
    join(primaryFolder, 'cluster', 'pg_hba.conf'),
    'host all,replication all 127.0.0.1/32 trust\n',
  )
  await copyCluster(primaryFolder, replicaFolder)
  await makeStandby(replicaFolder)

  const primary = await startEmbeddedPostgres({ folder: primaryFolder, settings })
  building.defer(() => primary.stop())
  const { port } = new URL(primary.url)
  const startReplica = () =>
    startEmbeddedPostgres({
      folder: replicaFolder,
      settings: { ...settings, primary_conninfo: `host=127.0.0.1 port=${port} user=postgres` },
    })
  let replica: EmbeddedPostgres | undefined = await startReplica()
  building.defer(async () => replica?.stop())
  const proxy = building.use(await startTcpProxy(() => replica?.url))

  async function onReplica(statement: string, expected?: unknown) {
    if (!replica) throw new Error('The replica is not running')
    return queryAsSuperuser(replica.url, statement, expected)
  }
  /** Kills the processes of the replica. */
  async function kill() {
    const killed = replica
    replica = undefined
    const [line] = (await readFile(join(replicaFolder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(line), 'SIGKILL')
    await killed?.stop()
  }
  async function restart() {
    replica = await startReplica()
  }
  const stack = building.move()
  return {
    url: primary.url,
    replicaUrl: proxy.url,
    /** The URL of the replica without the proxy. */
    directReplicaUrl: replica.url,
    link: proxy,
    /** Holds the replica at its current state. */
    async pause() {
      await onReplica('select pg_wal_replay_pause()')
      await onReplica('select pg_get_wal_replay_pause_state()', 'paused')
    },
    /** Lets the replica go on, and waits until it has replayed what has been written so far. */
    async catchUp() {
      await onReplica('select pg_wal_replay_resume()')
      const written = await queryAsSuperuser(primary.url, 'select pg_current_wal_lsn()')
      const hasReplayed = `select pg_last_wal_replay_lsn() >= '${written}'`
      await onReplica(hasReplayed, true)
    },
    /** Delays each commit on the replica. */
    async delay(seconds: number) {
      await onReplica(`alter system set recovery_min_apply_delay = '${seconds}s'`)
      await onReplica('select pg_reload_conf()')
    },
    kill,
    restart,
    /** Starts a primary that is a copy of the replica, like one that a failover has promoted. Returns its URL. */
    async promoteCopy() {
      await kill()
      await copyCluster(replicaFolder, copyFolder)
      await rm(join(copyFolder, 'cluster', 'standby.signal'))
      await restart()
      const promoted = await startEmbeddedPostgres({ folder: copyFolder, settings })
      stack.defer(() => promoted.stop())
      // Goes on in the next file of the WAL, so that later writes are far ahead of the copy.
      await queryAsSuperuser(primary.url, 'select pg_switch_wal()')
      return promoted.url
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Returns the first value. Repeats the statement until that is the expected one, if there is one. */
async function queryAsSuperuser(
  databaseUrl: string,
  statement: string,
  expected?: unknown,
): Promise<unknown> {
  const url = new URL(databaseUrl)
  url.username = 'postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query({ text: statement, rowMode: 'array' })
      const value: unknown = rows[0]?.[0]
      if (expected === undefined || value === expected) return value
      await sleep(10)
    }
  } finally {
    await client.end()
  }
}

/** Copies a stopped cluster with its owner. */
async function copyCluster(from: string, to: string) {
  await mkdir(to)
  await run('cp', ['-a', join(from, 'cluster'), join(from, 'password'), to])
}

async function makeStandby(folder: string) {
  const cluster = join(folder, 'cluster')
  const { uid, gid } = await stat(cluster)
  const signal = join(cluster, 'standby.signal')
  await writeFile(signal, '')
  await chown(signal, uid, gid)
}
