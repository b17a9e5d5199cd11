import PQueue from 'p-queue'
import { errorMessages } from '#contract/error-messages.ts'
import { AppError } from './errors.ts'

export interface QueueOptions {
  /** The maximum number of tasks that run at a time. */
  readonly concurrency: number
  /** The maximum number of tasks that wait. */
  readonly maxWaiting: number
  /** The maximum milliseconds that a task waits. Connections are cut later: by nginx after 50 seconds, by Node after 60. */
  readonly maxWaitMs?: number
}

export interface TaskOptions {
  /** Removes a task that waits. A task that runs must watch it itself. */
  readonly signal?: AbortSignal | undefined
  /** Tasks with a higher priority start first, those with the same in the order of their arrival. */
  readonly priority?: number
}

/**
 * Runs a task when its turn comes. Throws `unavailable` if too many wait or it has waited too long, and the signal's reason if that is
 * aborted before its turn.
 */
export type Queue = <Result>(task: () => Promise<Result>, options?: TaskOptions) => Promise<Result>

/** Creates a queue that refuses tasks instead of letting them wait until the client or a proxy gives up. */
export function createQueue({ concurrency, maxWaiting, maxWaitMs = 10_000 }: QueueOptions): Queue {
  const queue = new PQueue({ concurrency })
  return async (task, { signal, priority = 0 } = {}) => {
    if (queue.size >= maxWaiting) throw overloaded()
    const waiting = new AbortController()
    const leave = () => waiting.abort(signal?.reason)
    const timer = setTimeout(() => waiting.abort(overloaded()), maxWaitMs)
    signal?.addEventListener('abort', leave)
    const stopWaiting = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    if (signal?.aborted) leave()
    try {
      return await queue.add(
        () => {
          stopWaiting()
          return task()
        },
        { signal: waiting.signal, priority },
      )
    } finally {
      stopWaiting()
    }
  }
}

/** Runs a task of a key when its turn comes. Throws like a queue. */
export type Queues<Key> = <Result>(
  key: Key,
  task: () => Promise<Result>,
  options?: TaskOptions,
) => Promise<Result>

/** Creates a queue for each key. A queue exists while it has tasks. */
export function createQueues<Key>(options: QueueOptions): Queues<Key> {
  const queues = new Map<Key, { queue: Queue; tasks: number }>()
  return async (key, task, more) => {
    const own = queues.get(key) ?? { queue: createQueue(options), tasks: 0 }
    queues.set(key, own)
    own.tasks += 1
    try {
      return await own.queue(task, more)
    } finally {
      own.tasks -= 1
      if (own.tasks === 0) queues.delete(key)
    }
  }
}

const retryAfterSeconds = 10

/** Returns the error of a full queue. */
export function overloaded(cause?: unknown): AppError {
  return new AppError('unavailable', errorMessages.unavailable, { retryAfter: retryAfterSeconds, cause })
}
