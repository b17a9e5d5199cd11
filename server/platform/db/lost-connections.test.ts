import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newWorld, type World } from '#test/world.ts'

/** Ends a connection as PostgreSQL does when it stops or an operator terminates it. */
async function cut(world: World, pid: number | undefined) {
  await sql`select pg_terminate_backend(${pid}::int, 5000)`.execute(world.db)
}

async function pidOf(db: World['db']) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid
}

// An error that nobody listened to would end the process, and here the run.
test('a connection that is lost within a transaction, asked or not, fails the transaction and nothing else', async () => {
  await using world = await newWorld()
  const whileIdle = world.db.transaction().execute(async (tx) => {
    await cut(world, await pidOf(tx))
    await sql`select 1`.execute(tx)
  })
  await expect(whileIdle).rejects.toThrow()

  const whileAsked = world.db.transaction().execute(async (tx) => {
    const pid = await pidOf(tx)
    const answer = sql`select pg_sleep(20)`.execute(tx)
    await Promise.all([cut(world, pid), expect(answer).rejects.toThrow()])
    await answer
  })
  await expect(whileAsked).rejects.toThrow()

  expect(await pidOf(world.db)).toEqual(expect.any(Number))
})
