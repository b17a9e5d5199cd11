import pg from 'pg'
import type { Logger } from 'pino'
import { type EventReceiver, Subscriptions } from './event-bus.ts'

/** The `application_name` of the connections, in `pg_stat_activity`. */
export const listenerName = 'rhubarb listener'

const retryMs = 1000
const connectionTimeoutMillis = 5000

/**
 * Receives what transactions send with `pg_notify` and a payload of JSON, over a connection that listens. Every node receives an event,
 * including the sender.
 */
export function postgresEvents({ url, log }: { url: string; log: Logger }): EventReceiver {
  const subscriptions = new Subscriptions(log)
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  async function connect() {
    const next = await openListener(url, subscriptions, (error) => {
      log.warn({ err: error }, 'The PostgreSQL listener lost its connection and reconnects')
      reconnect()
    })
    if (stopped) await close(next)
    else client = next
  }

  function reconnect() {
    void close(client)
    client = undefined
    subscriptions.resync()
    if (stopped || retry) return
    retry = setTimeout(async () => {
      retry = undefined
      try {
        await connect()
        subscriptions.resync()
      } catch {
        reconnect()
      }
    }, retryMs)
  }

  return {
    on: (...subscription) => subscriptions.on(...subscription),
    start: connect,
    async stop() {
      stopped = true
      clearTimeout(retry)
      const last = client
      client = undefined
      await close(last)
    },
  }
}

/** Opens a connection that listens on the channels of the subscriptions. `onLost` is called if it is lost. */
async function openListener(
  url: string,
  subscriptions: Subscriptions,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: listenerName,
    keepAlive: true,
    connectionTimeoutMillis,
  })
  client.on('notification', ({ channel, payload = '' }) =>
    subscriptions.receive(channel, () => JSON.parse(payload)),
  )
  client.on('error', onLost)
  try {
    await client.connect()
    for (const channel of subscriptions.names) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    return client
  } catch (error) {
    await close(client)
    throw error
  }
}

/** Closes a connection, which may be lost already. */
async function close(client: pg.Client | undefined): Promise<void> {
  client?.removeAllListeners('error')
  client?.on('error', () => {})
  await client?.end().catch(() => {})
}
