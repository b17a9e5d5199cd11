import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/** Reverses the hashes in the names of scripts and styles. Applied twice, it restores the names. */
function renamed(text: string): string {
  return text.replaceAll(
    /-([\w-]{8})\.(js|css)\b/g,
    (_, hash: string, kind: string) => `-${[...hash].reverse().join('')}.${kind}`,
  )
}

/** Starts a proxy to the server. */
export async function startProxy(upstream: string) {
  let isNew = false
  let pageEnds: Promise<void> | undefined
  let pages: Promise<void> | undefined
  let mixed = 0
  const { protocol, hostname, port, host, origin } = new URL(upstream)
  const isSecure = protocol === 'https:'
  const target = { host: hostname, port: Number(port) }
  /** The server accepts WebSockets of its own origin only. */
  const upstreamHeaders: Record<string, string> = { host, origin }
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    // The proxy's bodies differ from those that the validators stand for.
    const {
      connection: _,
      host: __,
      'if-none-match': ___,
      'if-modified-since': ____,
      ...headers
    } = request.headers
    if (headers['sec-fetch-mode'] === 'navigate') await pages
    const path = isNew ? renamed(request.url ?? '/') : (request.url ?? '/')
    const fetched = await fetch(new URL(path, upstream), {
      method: request.method ?? 'GET',
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    })
    const type = fetched.headers.get('content-type') ?? ''
    let body = Buffer.from(await fetched.arrayBuffer())
    if (mixed > 0 && headers['sec-fetch-mode'] === 'navigate') {
      mixed -= 1
      const other = await fetch(new URL(path, upstream), { headers: { 'accept-encoding': 'identity' } })
      body = Buffer.from(await other.arrayBuffer())
    }
    const isText = /html|javascript|css/.test(type)
    for (const [name, value] of fetched.headers) {
      if (!/^(?:content-length|connection|keep-alive|transfer-encoding)$/.test(name))
        response.setHeader(name, value)
    }
    response.writeHead(fetched.status)
    if (pageEnds && type.includes('html')) {
      response.write(body.subarray(0, body.length / 2))
      await pageEnds
      response.end(body.subarray(body.length / 2))
    } else response.end(isNew && isText ? renamed(body.toString()) : body)
  })
  proxy.on('upgrade', (request, client, head) => {
    const server = isSecure
      ? connectSecurely({ ...target, servername: hostname, rejectUnauthorized: false })
      : connect(target)
    const { rawHeaders } = request
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? `${name}: ${upstreamHeaders[name.toLowerCase()] ?? rawHeaders[index + 1]}` : [],
    )
    server.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    server.write(head)
    for (const socket of [client, server]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server).pipe(client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    /** Simulates a new version: the names of scripts and styles change, the old ones answer 404. */
    deploy: () => {
      isNew = true
    },
    /** Answers requests of pages when `until` resolves. */
    holdPages: (until: Promise<void>) => {
      pages = until
    },
    /** Answers this number of navigations with the policy of one page and the content of another. */
    mixPages: (count: number) => {
      mixed = count
    },
    /** Sends the first half of each page, and the second one when `until` resolves. */
    holdPageEnds: (until: Promise<void>) => {
      pageEnds = until
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
