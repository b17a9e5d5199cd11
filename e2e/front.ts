import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/** Renames scripts and styles as another build would. Applied twice, it restores the name. */
function renamed(text: string): string {
  return text.replaceAll(
    /-([\w-]{8})\.(js|css)\b/g,
    (_, hash: string, kind: string) => `-${[...hash].reverse().join('')}.${kind}`,
  )
}

/** A server in front of the one of the tests, that can bring another version: its files have other names, the old are gone. */
export async function serverInFront(behind: string) {
  let isNew = false
  const { protocol, hostname, port, host, origin } = new URL(behind)
  const isSecure = protocol === 'https:'
  const place = { host: hostname, port: Number(port) }
  /** Only the pages of the server behind may connect: these are. */
  const asFromBehind: Record<string, string> = { host, origin }
  const front = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    // Validators of this origin may not hold for the proxy.
    const {
      connection: _,
      host: __,
      'if-none-match': ___,
      'if-modified-since': ____,
      ...headers
    } = request.headers
    const path = isNew ? renamed(request.url ?? '/') : (request.url ?? '/')
    const answer = await fetch(new URL(path, behind), {
      method: request.method ?? 'GET',
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    })
    const type = answer.headers.get('content-type') ?? ''
    const body = Buffer.from(await answer.arrayBuffer())
    const isText = /html|javascript|css/.test(type)
    for (const [name, value] of answer.headers) {
      if (!/^(?:content-length|connection|keep-alive|transfer-encoding)$/.test(name))
        response.setHeader(name, value)
    }
    response.writeHead(answer.status).end(isNew && isText ? renamed(body.toString()) : body)
  })
  front.on('upgrade', (request, near, head) => {
    const far = isSecure
      ? connectSecurely({ ...place, servername: hostname, rejectUnauthorized: false })
      : connect(place)
    const { rawHeaders } = request
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? `${name}: ${asFromBehind[name.toLowerCase()] ?? rawHeaders[index + 1]}` : [],
    )
    far.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    far.write(head)
    for (const socket of [near, far]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return {
    url: `http://localhost:${(front.address() as AddressInfo).port}`,
    deploy: () => {
      isNew = true
    },
    async [Symbol.asyncDispose]() {
      front.closeAllConnections()
      front.close()
    },
  }
}
