import { setTimeout as sleep } from 'node:timers/promises'
import { cuttableLink } from '#test/cuttable-link.ts'

const askEveryMs = 300
const timeoutMs = 1000

/** As a load balancer does it: asks every node whether it is ready, and gives new connections in turn to those that are. */
export async function balance(nodes: readonly { url(): string | undefined }[]) {
  const ready = new Set<string>()
  let isOver = false
  async function watch(node: { url(): string | undefined }) {
    let known: string | undefined
    while (!isOver) {
      const url = node.url()
      if (known !== undefined && known !== url) ready.delete(known)
      known = url
      if (url !== undefined) {
        const answer = await statusOf(url)
        if (answer === 200) ready.add(url)
        else if (answer !== undefined) ready.delete(url)
      }
      await sleep(askEveryMs)
    }
  }
  const watching = nodes.map(watch)
  let turn = 0
  const link = await cuttableLink(() => {
    turn += 1
    return [...ready][turn % ready.size]
  })
  return {
    url: new URL(link.url).origin,
    async [Symbol.asyncDispose]() {
      isOver = true
      await Promise.all(watching)
      await link[Symbol.asyncDispose]()
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
