import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { createLog } from '#server/platform/log.ts'
import { startNode } from '#server/start.ts'
import { recordingSettings, saveStatements } from './engine/statements.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run. Its database `template_world` is empty and has the newest schema. */
    postgresUrl: string
    /** The database of a coordinator that worlds use instead. */
    clusterUrl?: string | undefined
  }
}

/**
 * Durability is off because nothing outlives the run. Autovacuum is off because it would block dropping a database and change
 * plans during the tests of plans.
 */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '300',
  // Tests of deadlocks wait for it.
  deadlock_timeout: '100ms',
  scram_iterations: '1',
  ...recordingSettings,
}

/** Linux's file system in memory. */
const sharedMemory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/**
 * Returns a folder in memory if there is room. A world's database has hundreds of files, and creating them on a disk has taken ten
 * times the processor time.
 */
async function databaseParent(): Promise<string> {
  const { bavail, bsize } = await statfs(sharedMemory).catch(() => ({ bavail: 0, bsize: 0 }))
  return Math.min(bavail * bsize, freemem()) > neededBytes ? sharedMemory : tmpdir()
}

/** Starts one PostgreSQL for the whole run with a template that each world copies. */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(await databaseParent(), 'rhubarb-test-'))
  // Tests of root run PostgreSQL as another user.
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    settings: fastSettings,
    extensions: ['pg_stat_statements'],
  })
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query('create database template_world')
  // Every connection repeats the iterations of the hash. Setting the password again applies `scram_iterations`.
  const { password } = new URL(postgres.url)
  await admin.query(`alter role current_user password ${pg.escapeLiteral(password)}`)
  await admin.end()
  const template = new URL(postgres.url)
  template.pathname = '/template_world'
  // The first start of a node is slow, so it happens before the tests.
  const settings = { NODE_ENV: 'test', PORT: '0', METRICS_PORT: 'off', DATA_DIR: join(folder, 'data') }
  const node = await startNode(readConfig(settings), template.href, createLog('silent'))
  await node.stop()
  await disableSchedules(template.href)
  project.provide('postgresUrl', postgres.url)

  return async () => {
    await saveStatements(postgres.url)
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Disables the schedules of repeated jobs, so that they run only when a test starts them. */
async function disableSchedules(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`update jobs.version set cron_on = 'infinity'`)
  await client.end()
}
