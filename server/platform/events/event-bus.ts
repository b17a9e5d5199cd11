import type { Logger } from 'pino'

/** Receives events of other nodes. An event is a hint and may be lost; subscribers then have to resync. */
export interface EventReceiver {
  /** Subscribes to a channel, before `start`. `resync` is called when events may have been missed. */
  on(channel: string, received: (payload: unknown) => void, resync: () => void): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Sends events between nodes. */
export interface EventBus extends EventReceiver {
  /** Never throws and never waits. An event that can't be sent is dropped. */
  publish(channel: string, payload: unknown): void
  isConnected(): boolean
}

/** The bus of a single node, which sends nothing. */
export const localBus: EventBus = {
  on: () => {},
  publish: () => {},
  isConnected: () => true,
  start: async () => {},
  stop: async () => {},
}

/** The subscribers of a node, by channel. */
export class Subscriptions {
  private readonly channels = new Map<string, { received: (payload: unknown) => void; resync: () => void }>()
  private readonly log: Logger

  constructor(log: Logger) {
    this.log = log
  }

  on(channel: string, received: (payload: unknown) => void, resync: () => void): void {
    this.channels.set(channel, { received, resync })
  }

  get names(): string[] {
    return [...this.channels.keys()]
  }

  /** Calls the subscriber of a channel. Other programs can send anything, so errors are logged. */
  receive(channel: string, parse: () => unknown): void {
    try {
      const payload = parse()
      if (payload !== undefined) this.channels.get(channel)?.received(payload)
    } catch (error) {
      this.log.warn({ err: error, channel }, 'An event of another node could not be processed')
    }
  }

  resync(): void {
    for (const { resync } of this.channels.values()) resync()
  }
}
