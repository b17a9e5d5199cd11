// Calls a server continuously in a worker thread and reports the durations of its responses when it gets a message to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface CanaryReport {
  readonly responses: number
  readonly failures: number
  readonly slowestMs: number
  readonly medianMs: number
}

const intervalMs = 25
const { url, token }: { url: string; token: string } = workerData
const times: number[] = []
let failures = 0
let isStopped = false
parentPort?.once('message', () => {
  isStopped = true
})

function call(): Promise<boolean> {
  return fetch(`${url}/api/auth/profile`, { headers: { authorization: `Bearer ${token}` } }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )
}

// The first call loads the modules of `fetch`, which takes half a second on a busy machine.
await call()
parentPort?.postMessage('ready')
while (!isStopped) {
  const start = performance.now()
  const isFine = await call()
  times.push(performance.now() - start)
  if (!isFine) failures += 1
  await sleep(intervalMs)
}
times.sort((a, b) => a - b)
parentPort?.postMessage({
  responses: times.length,
  failures,
  slowestMs: times.at(-1) ?? 0,
  medianMs: times[Math.floor(times.length / 2)] ?? 0,
} satisfies CanaryReport)
