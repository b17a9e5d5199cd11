import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs work of several callers, such as a group or a timer, outside the context of the one that happens to start it. Otherwise the
 * work would inherit that caller's session and timeouts from `AsyncLocalStorage`. The context is that of the process's start.
 */
export const outsideCallers = AsyncLocalStorage.snapshot()
