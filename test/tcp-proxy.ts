import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The target of new connections: fixed, or read for each; undefined refuses them. */
type Target = string | (() => string | undefined)

interface Connection {
  readonly client: Socket
  readonly server: Socket
}

/** Starts a TCP proxy to a server whose connections a test can cut, stall and restore, to simulate network failures. */
export async function startTcpProxy(target: Target) {
  const connections = new Set<Connection>()
  /** Clients that connected while the proxy is stalled. The server does not know of them yet. */
  const waiting = new Set<Socket>()
  let isCut = false
  let isStalled = false
  const proxy = createServer((client) => {
    client.on('error', () => undefined)
    client.on('close', () => waiting.delete(client))
    if (isStalled) waiting.add(client)
    else forward(client)
  })

  function forward(client: Socket) {
    const current = typeof target === 'string' ? target : target()
    if (isCut || current === undefined) {
      client.destroy()
      return
    }
    const { hostname, port } = new URL(current)
    const server = connect({ host: hostname, port: Number(port) })
    const connection = { client, server }
    connections.add(connection)
    for (const socket of [client, server]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        connections.delete(connection)
        destroy(connection)
      })
    }
    client.pipe(server).pipe(client)
  }
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL((typeof target === 'string' ? target : target()) ?? 'http://127.0.0.1')
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`

  function cut() {
    isCut = true
    for (const client of waiting) client.destroy()
    for (const connection of connections) destroy(connection)
  }
  return {
    /** The target's URL through this proxy. */
    url: url.href,
    /** Closes all connections and refuses new ones. */
    cut,
    /** Keeps connections open but holds their data back. The server gets no new connections. */
    stall() {
      if (isStalled) return
      isStalled = true
      for (const { client, server } of connections) {
        client.unpipe(server)
        server.unpipe(client)
      }
    },
    /** Accepts connections again and delivers the data that was held back. */
    restore() {
      isCut = false
      if (!isStalled) return
      isStalled = false
      for (const { client, server } of connections) client.pipe(server).pipe(client)
      for (const client of waiting) {
        waiting.delete(client)
        forward(client)
      }
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

function destroy({ client, server }: Connection) {
  client.destroy()
  server.destroy()
}
