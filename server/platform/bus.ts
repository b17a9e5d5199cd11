import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** How the nodes tell each other what their sockets should hear. What can't be told is dropped: it was only a hint. */
export interface Bus {
  /** To every other node. Never throws, never waits. */
  publish(message: unknown): void
  start(heard: (message: unknown) => void): void
  stop(): void
}

/** For a node that is alone. */
export const noBus: Bus = { publish: () => {}, start: () => {}, stop: () => {} }

const channel = 'rhubarb:realtime'
const pingMs = 5000
const longestPauseMs = 2000
/** A Redis that takes commands and answers none is as good as gone. */
const stallMs = 4000

/** Over Redis or Valkey: one connection that publishes, one that hears. Either comes back by itself. */
export function redisBus({ url, log }: { url: string; log: Logger }): Bus {
  const self = randomUUID()
  const connect = (name: string, offlineQueue: boolean) => {
    const redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: offlineQueue,
      // Told late is told twice: who missed it has asked the database by then.
      maxRetriesPerRequest: offlineQueue ? null : 0,
      autoResendUnfulfilledCommands: false,
      connectTimeout: stallMs,
      socketTimeout: stallMs,
      keepAlive: 10_000,
      connectionName: `rhubarb ${name}`,
      retryStrategy: (times) => Math.min(times * 100, longestPauseMs),
    })
    let away = false
    redis.on('error', (error) => {
      if (!away) log.warn({ err: error, connection: name }, 'Redis is away; realtime stays within each node')
      away = true
    })
    redis.on('ready', () => {
      if (away) log.info({ connection: name }, 'Redis is back')
      away = false
    })
    return redis
  }
  const publisher = connect('publisher', false)
  const subscriber = connect('subscriber', true)
  let pinging: NodeJS.Timeout | undefined

  return {
    publish(message) {
      if (publisher.status === 'ready')
        publisher.publish(channel, JSON.stringify({ from: self, message })).catch(dropped)
    },
    start(heard) {
      subscriber.on('message', (_channel, text: string) => {
        const { from, message } = JSON.parse(text) as { from: string; message: unknown }
        if (from !== self) heard(message)
      })
      // Neither is waited for: a node serves without Redis, too.
      publisher.connect().catch(dropped)
      subscriber.connect().catch(dropped)
      subscriber.subscribe(channel).catch(dropped)
      pinging = setInterval(() => {
        if (subscriber.status === 'ready') subscriber.ping().catch(dropped)
      }, pingMs)
    },
    stop() {
      clearInterval(pinging)
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

function dropped() {}
