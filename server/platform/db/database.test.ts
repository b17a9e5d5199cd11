import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { newDatabase } from '#test/world.ts'
import { createPool } from './database.ts'

const database = await newDatabase('template0')
afterAll(() => database.drop())

const pidOf = async (pool: pg.Pool): Promise<number> =>
  (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0

test('an idle connection that PostgreSQL ends is replaced, and does not end the process', async () => {
  const pool = createPool({ url: database.url, pool: 1, statementTimeoutMs: 5000 })
  const admin = new pg.Client(database.url)
  await admin.connect()
  try {
    const lost = await pidOf(pool)
    await admin.query('select pg_terminate_backend($1)', [lost])
    await expect.poll(() => pool.totalCount).toBe(0)
    expect(await pidOf(pool)).not.toBe(lost)
  } finally {
    await admin.end()
    await pool.end()
  }
})
