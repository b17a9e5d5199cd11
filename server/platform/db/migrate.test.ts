import pg from 'pg'
import { expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { prepareDatabase } from '#server/start.ts'
import { newDatabase, newWorld } from '#test/world.ts'

/** Every table, column and index there is, with the migrations that are written down. */
async function schemaOf(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const columns = `select table_schema, table_name, column_name, data_type from information_schema.columns
    where table_schema in ('public', 'jobs') order by 1, 2, 3`
  const indexes = `select indexdef from pg_indexes where schemaname = 'public' order by 1`
  const migrations = 'select name from kysely_migration order by 1'
  try {
    const found = []
    for (const query of [columns, indexes, migrations]) found.push((await client.query(query)).rows)
    return found
  } finally {
    await client.end()
  }
}

test('two nodes that start at once on an empty database both come up, on one schema', async () => {
  const database = await newDatabase('template0')
  await using world = await newWorld()
  const nodes = await Promise.all([world.node({}, database.url), world.node({}, database.url)])
  try {
    const [one, other] = nodes
    const ann = one.guest()
    await ann.join({ username: 'ann' })

    expect(await other.meet(ann).call(getProfile)).toEqual(ann.profile)
    expect(await schemaOf(database.url)).toEqual(await schemaOf(world.databaseUrl))
  } finally {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
    await database.drop()
  }
})

test('preparing a database that is prepared changes nothing, however many do it', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const before = await schemaOf(world.databaseUrl)
  await Promise.all([1, 2, 3].map(() => prepareDatabase(world.databaseUrl)))

  expect(await schemaOf(world.databaseUrl)).toEqual(before)
  expect(await ann.call(getProfile)).toEqual(ann.profile)
})
