import pg from 'pg'

/** A connection of a test's own, for a transaction that stays open while others run. */
export async function connectTo(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
