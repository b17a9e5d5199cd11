import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** How the nodes tell each other what their sockets should hear. What can't be told is dropped: it was only a hint. */
export interface Bus {
  /** To every other node. Never throws, never waits. */
  publish(message: unknown): void
  /** `missed` is called when something may have gone unheard, and now and then while nothing can be heard. */
  start(heard: (message: unknown) => void, missed: () => void): void
  /** Whether this node hears the others, and they it. */
  isWhole(): boolean
  stop(): void
}

/** For a node that is alone. */
export const noBus: Bus = { publish: () => {}, start: () => {}, isWhole: () => true, stop: () => {} }

const channel = 'rhubarb:realtime'
const pingMs = 5000
const longestPauseMs = 2000
/** A Redis that takes commands and answers none is as good as gone. */
const stallMs = 4000
/** How often it is said that nothing can be heard: as often as pages ask that have no connection at all. */
const remindMs = 10_000

/** Over Redis or Valkey: one connection that publishes, one that hears. Either comes back by itself. */
export function redisBus({ url, log }: { url: string; log: Logger }): Bus {
  const self = randomUUID()
  const connect = (name: string) => {
    const redis = new Redis(url, {
      lazyConnect: true,
      // Nothing is told late: who missed it has asked the database by then.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
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
  const publisher = connect('publisher')
  const subscriber = connect('subscriber')
  const timers: NodeJS.Timeout[] = []

  function tell(told: Told) {
    if (publisher.status === 'ready') publisher.publish(channel, JSON.stringify(told)).catch(dropped)
  }

  return {
    publish: (message) => tell({ from: self, message }),
    start(heard, missed) {
      let whole = true
      subscriber.on('message', (_channel, text: string) => {
        try {
          const { from, message } = JSON.parse(text) as Told
          if (from === self) return
          if (message === undefined) missed()
          else heard(message)
        } catch (error) {
          log.warn({ err: error }, 'Something was heard that no node says')
        }
      })
      subscriber.on('close', () => {
        whole = false
      })
      subscriber.on('ready', async () => {
        await subscriber.subscribe(channel).catch(dropped)
        if (!whole) missed()
        whole = true
      })
      // A node that starts may follow one that died between a commit and the word of it.
      let told = false
      publisher.on('close', () => {
        told = false
      })
      publisher.on('ready', () => {
        // What this node could not tell, the others have missed.
        if (!told) tell({ from: self })
        told = true
      })
      // Neither is waited for: a node serves without Redis, too.
      publisher.connect().catch(dropped)
      subscriber.connect().catch(dropped)
      timers.push(
        setInterval(() => {
          if (subscriber.status === 'ready') subscriber.ping().catch(dropped)
        }, pingMs),
        setInterval(() => {
          if (!whole) missed()
        }, remindMs),
      )
    },
    isWhole: () => publisher.status === 'ready' && subscriber.status === 'ready',
    stop() {
      for (const timer of timers) clearInterval(timer)
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

/** Without a message: something was missed. */
interface Told {
  readonly from: string
  readonly message?: unknown
}

function dropped() {}
