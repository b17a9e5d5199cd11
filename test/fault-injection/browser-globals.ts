// Defines browser globals that Node lacks. Must be imported before the web client.
import { parentPort, workerData } from 'node:worker_threads'
import type { PageSetup } from './page.ts'

const { url, storage } = workerData as PageSetup
const { protocol, host, hostname, port, origin } = new URL(url)

/** Divides the timeouts and intervals of the web client, so that they fit into a round. */
const speedUp = 20
/** Longer times are heartbeats, which must match the server's time. */
const heartbeatMs = 40_000
const scaled = (ms = 0) => (ms > heartbeatMs ? ms : ms / speedUp)

const { setTimeout: originalTimeout, setInterval: originalInterval, fetch: originalFetch } = globalThis
const abortTimeout = AbortSignal.timeout.bind(AbortSignal)
AbortSignal.timeout = (ms) => abortTimeout(scaled(ms))

const items = new Map(storage)
const localStorage = {
  getItem: (key: string) => items.get(key) ?? null,
  setItem(key: string, value: string) {
    items.set(key, value)
    parentPort?.postMessage({ stored: [key, value] })
  },
  removeItem(key: string) {
    items.delete(key)
    parentPort?.postMessage({ stored: [key, undefined] })
  },
}

const globals = {
  window: globalThis,
  location: { protocol, host, hostname, port, origin },
  localStorage,
  addEventListener() {},
  removeEventListener() {},
  setTimeout: (run: () => void, ms?: number, ...rest: []) => originalTimeout(run, scaled(ms), ...rest),
  setInterval: (run: () => void, ms?: number, ...rest: []) => originalInterval(run, scaled(ms), ...rest),
  fetch: (path: string, init?: RequestInit) => originalFetch(new URL(path, origin), init),
}
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
