import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The target of new connections: fixed, or read for each; undefined refuses them. */
type Target = string | (() => string | undefined)

/** Starts a TCP proxy to a server whose connections a test can cut, stall and restore, to simulate network failures. */
export async function startTcpProxy(target: Target) {
  const connections = new Set<{ near: Socket; far: Socket }>()
  let isCut = false
  let isStalled = false
  const proxy = createServer((near) => {
    const current = typeof target === 'string' ? target : target()
    if (isCut || current === undefined) {
      near.destroy()
      return
    }
    const { hostname, port } = new URL(current)
    const far = connect({ host: hostname, port: Number(port) })
    const connection = { near, far }
    connections.add(connection)
    for (const socket of [near, far]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        connections.delete(connection)
        near.destroy()
        far.destroy()
      })
    }
    if (!isStalled) near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL((typeof target === 'string' ? target : target()) ?? 'http://127.0.0.1')
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`

  function cut() {
    isCut = true
    for (const { near, far } of connections) {
      near.destroy()
      far.destroy()
    }
  }
  return {
    /** The target's URL through this proxy. */
    url: url.href,
    /** Closes all connections and refuses new ones. */
    cut,
    /** Keeps connections open but holds their data back. */
    stall() {
      if (isStalled) return
      isStalled = true
      for (const { near, far } of connections) {
        near.unpipe(far)
        far.unpipe(near)
      }
    },
    /** Accepts connections again and delivers the data that was held back. */
    restore() {
      isCut = false
      if (!isStalled) return
      isStalled = false
      for (const { near, far } of connections) near.pipe(far).pipe(near)
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
