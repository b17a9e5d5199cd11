import pg from 'pg'

/** Opens a separate connection, for example for a transaction that stays open during calls. */
export async function connectTo(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
