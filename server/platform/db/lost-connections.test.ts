import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newWorld, type World } from '#test/world.ts'

/** Terminates a connection like PostgreSQL does when it stops. */
async function terminate(world: World, pid: number | undefined) {
  await sql`select pg_terminate_backend(${pid}::int, 5000)`.execute(world.db)
}

async function pidOf(db: World['db']) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid
}

// An unhandled error event would end the process.
test('a lost connection fails only its transaction, whether idle or in a query', async () => {
  await using world = await newWorld()
  const whileIdle = world.db.transaction().execute(async (tx) => {
    await terminate(world, await pidOf(tx))
    await sql`select 1`.execute(tx)
  })
  await expect(whileIdle).rejects.toThrow()

  const duringQuery = world.db.transaction().execute(async (tx) => {
    const pid = await pidOf(tx)
    const query = sql`select pg_sleep(20)`.execute(tx)
    await Promise.all([terminate(world, pid), expect(query).rejects.toThrow()])
    await query
  })
  await expect(duringQuery).rejects.toThrow()

  expect(await pidOf(world.db)).toEqual(expect.any(Number))
})
