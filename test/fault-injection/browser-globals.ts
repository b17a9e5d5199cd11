// Browser globals that Node lacks. Import it before the web client.
import { parentPort, workerData } from 'node:worker_threads'
import type { PageSetup } from './page.ts'

const { url, storage } = workerData as PageSetup
const { protocol, host, hostname, port, origin } = new URL(url)

/** A member's time runs faster, so that timeouts, pauses and polling take a round and not minutes. */
const pace = 20
/** The heartbeat goes by the server's time. */
const heartbeatMs = 40_000
const paced = (ms = 0) => (ms > heartbeatMs ? ms : ms / pace)

const { setTimeout: wait, setInterval: repeat, fetch: ask } = globalThis
const abortTimeout = AbortSignal.timeout.bind(AbortSignal)
AbortSignal.timeout = (ms) => abortTimeout(paced(ms))

const kept = new Map(storage)
const localStorage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem(key: string, value: string) {
    kept.set(key, value)
    parentPort?.postMessage({ kept: [key, value] })
  },
  removeItem(key: string) {
    kept.delete(key)
    parentPort?.postMessage({ kept: [key, undefined] })
  },
}

const globals = {
  window: globalThis,
  location: { protocol, host, hostname, port, origin },
  localStorage,
  addEventListener() {},
  removeEventListener() {},
  setTimeout: (run: () => void, ms?: number, ...rest: []) => wait(run, paced(ms), ...rest),
  setInterval: (run: () => void, ms?: number, ...rest: []) => repeat(run, paced(ms), ...rest),
  fetch: (path: string, init?: RequestInit) => ask(new URL(path, origin), init),
}
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
