import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

/**
 * Starts a proxy with vulnerabilities that the scanners must find: reflected XSS, SQL injection and an exposed `.env`. It
 * forwards all other requests to the server.
 */
export async function plantHoles(upstream: string) {
  const database = new DatabaseSync(':memory:')
  database.exec(
    "create table seeds (id integer, name text); insert into seeds values (1, 'rhubarb'), (2, 'kale')",
  )

  const server = createServer((incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', upstream)
    if (pathname === '/planted/') {
      outgoing.setHeader('content-type', 'text/html')
      outgoing.end(`<a href="/planted/greeting?name=ann">a</a> <a href="/planted/seeds?id=1">b</a>`)
    } else if (pathname === '/planted/greeting') {
      outgoing.setHeader('content-type', 'text/html')
      outgoing.end(`<html><body><p>Hello ${searchParams.get('name')}</p></body></html>`)
    } else if (pathname === '/planted/seeds') {
      outgoing.setHeader('content-type', 'text/html')
      try {
        const rows = database.prepare(`select name from seeds where id = ${searchParams.get('id')}`).all()
        outgoing.end(`<p>${JSON.stringify(rows)}</p>`)
      } catch (error) {
        outgoing.statusCode = 500
        outgoing.end(`SQLite3::SQLException: ${error instanceof Error ? error.message : error}`)
      }
    } else if (pathname === '/.env') {
      outgoing.end('DATABASE_URL=postgres://rhubarb:secret@127.0.0.1/rhubarb\n')
    } else {
      const forwarded = request(upstream + incoming.url, {
        method: incoming.method,
        headers: incoming.headers,
      })
      forwarded.on('response', (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    }
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      database.close()
    },
  }
}
