import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy } from '#test/tcp-proxy.ts'

const checkIntervalMs = 300
const timeoutMs = 1000

/** Starts a round-robin load balancer that checks the readiness of its nodes. */
export async function startBalancer(nodes: readonly { url(): string | undefined }[]) {
  const ready = new Set<string>()
  let isOver = false
  async function watch(node: { url(): string | undefined }) {
    let knownUrl: string | undefined
    while (!isOver) {
      const url = node.url()
      if (knownUrl !== undefined && knownUrl !== url) ready.delete(knownUrl)
      knownUrl = url
      if (url !== undefined) {
        const status = await statusOf(url)
        if (status === 200) ready.add(url)
        else if (status !== undefined) ready.delete(url)
      }
      await sleep(checkIntervalMs)
    }
  }
  const watching = nodes.map(watch)
  let turn = 0
  const proxy = await startTcpProxy(() => {
    turn += 1
    return [...ready][turn % ready.size]
  })
  return {
    url: new URL(proxy.url).origin,
    async [Symbol.asyncDispose]() {
      isOver = true
      await Promise.all(watching)
      await proxy[Symbol.asyncDispose]()
    },
  }
}

export async function isReady(url: string): Promise<boolean> {
  return (await statusOf(url)) === 200
}

/** Returns a node's readiness status: undefined on a timeout, 0 when the connection fails. */
async function statusOf(url: string): Promise<number | undefined> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ status }) => status,
    (error: Error) => (error.name === 'TimeoutError' ? undefined : 0),
  )
}
