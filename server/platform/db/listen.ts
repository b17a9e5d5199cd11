import pg from 'pg'
import type { Logger } from 'pino'

export interface Listener {
  /** Hears what any node tells on the channel. `missed` is called when something may have gone unheard. */
  on(channel: string, heard: (payload: string) => void, missed: () => void): void
  /** Whether there is a connection to hear by. */
  isHearing(): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

/** What the connections of listeners are called in `pg_stat_activity`. */
export const listenerName = 'rhubarb listener'

const retryMs = 1000

/** One connection of its own that hears PostgreSQL's notifications, and comes back after the database was away. */
export function createListener(options: { url: string; log: Logger }): Listener {
  const channels = new Map<string, { heard: (payload: string) => void; missed: () => void }>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  async function connect() {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: listenerName,
      keepAlive: true,
    })
    next.on('notification', ({ channel, payload }) => channels.get(channel)?.heard(payload ?? ''))
    next.on('error', (error) => {
      options.log.warn({ err: error }, 'The listener lost its connection')
      reconnect()
    })
    await next.connect()
    for (const channel of channels.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
  }

  function reconnect() {
    client?.removeAllListeners('error')
    client?.on('error', () => {})
    client = undefined
    for (const { missed } of channels.values()) missed()
    if (stopped || retry) return
    retry = setTimeout(async () => {
      retry = undefined
      try {
        await connect()
        for (const { missed } of channels.values()) missed()
      } catch {
        reconnect()
      }
    }, retryMs)
  }

  return {
    on(channel, heard, missed) {
      channels.set(channel, { heard, missed })
    },
    isHearing: () => client !== undefined,
    start: connect,
    async stop() {
      stopped = true
      const last = client
      client = undefined
      clearTimeout(retry)
      last?.removeAllListeners('error')
      last?.on('error', () => {})
      await last?.end()
    },
  }
}
