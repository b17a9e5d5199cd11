import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type EventBus, Subscriptions } from './event-bus.ts'

const prefix = 'rhubarb:'
/** The channel on which a node that could not publish for a while requests the others to resync. */
const resyncChannel = 'resync'
const pingMs = 5000
const maxDelayMs = 2000
/** A Redis that does not answer in time is treated as disconnected. */
const timeoutMs = 4000
/** The interval in which subscribers resync without Redis, the same as the polling interval of pages without a socket. */
const resyncMs = 10_000

/** An event in Redis. `from` is the id of the node that sent it. */
interface Envelope {
  readonly from: string
  readonly message?: unknown
}

/** Creates a bus over Redis or Valkey with one connection to publish and one to subscribe. ioredis reconnects both. */
export function redisBus({ url, log }: { url: string; log: Logger }): EventBus {
  const nodeId = randomUUID()
  const subscriptions = new Subscriptions(log)
  const publisher = createConnection(url, 'publisher', log)
  const subscriber = createConnection(url, 'subscriber', log)
  const timers: NodeJS.Timeout[] = []

  function send(channel: string, message?: unknown) {
    const envelope: Envelope = { from: nodeId, message }
    if (publisher.status === 'ready')
      publisher.publish(prefix + channel, JSON.stringify(envelope)).catch(ignore)
  }

  return {
    on: (...subscription) => subscriptions.on(...subscription),
    publish: send,
    isConnected: () => publisher.status === 'ready' && subscriber.status === 'ready',
    async start() {
      receive(subscriber, subscriptions, nodeId)
      timers.push(keepSubscribed(subscriber, subscriptions), keepAlive(subscriber))
      resyncOthersAtConnection(publisher, () => send(resyncChannel))
      // Not awaited: a node serves without Redis, too.
      publisher.connect().catch(ignore)
      subscriber.connect().catch(ignore)
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

function createConnection(url: string, name: string, log: Logger): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    // A late event is useless, because clients have queried the database by then.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    connectTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    keepAlive: 10_000,
    connectionName: `rhubarb ${name}`,
    retryStrategy: (times) => Math.min(times * 100, maxDelayMs),
  })
  let away = false
  redis.on('error', (error) => {
    if (!away)
      log.warn(
        { err: error, connection: name },
        'Redis is unreachable; events reach only the sockets of their own node',
      )
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info({ connection: name }, 'Redis is reachable again')
    away = false
  })
  return redis
}

/** Passes on what other nodes publish. */
function receive(subscriber: Redis, subscriptions: Subscriptions, nodeId: string): void {
  subscriber.on('message', (name, text) => {
    const channel = name.slice(prefix.length)
    subscriptions.receive(channel, () => {
      const { from, message } = JSON.parse(text) as Envelope
      if (from === nodeId) return undefined
      if (channel === resyncChannel) subscriptions.resync()
      return message
    })
  })
}

/** Subscribes at each connection. Until then, and once it is subscribed, subscribers resync. */
function keepSubscribed(subscriber: Redis, subscriptions: Subscriptions): NodeJS.Timeout {
  let isSubscribed = false
  subscriber.on('close', () => {
    isSubscribed = false
  })
  subscriber.on('ready', async () => {
    const channels = [resyncChannel, ...subscriptions.names].map((name) => prefix + name)
    try {
      await subscriber.subscribe(...channels)
    } catch {
      return
    }
    isSubscribed = true
    subscriptions.resync()
  })
  return setInterval(() => {
    if (!isSubscribed) subscriptions.resync()
  }, resyncMs)
}

function keepAlive(subscriber: Redis): NodeJS.Timeout {
  return setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(ignore)
  }, pingMs)
}

/** Requests the others to resync at each connection: a node that starts may replace one that died between a commit and its event. */
function resyncOthersAtConnection(publisher: Redis, sendResync: () => void): void {
  let hasSentResync = false
  publisher.on('close', () => {
    hasSentResync = false
  })
  publisher.on('ready', () => {
    if (!hasSentResync) sendResync()
    hasSentResync = true
  })
}

function ignore() {}
