import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

/**
 * The product with holes in front of it that scanners must find: a page that shows markup it is given, a statement made of what
 * is asked, and a file that was left lying about. Everything else goes on to the server behind.
 */
export async function plantHoles(behind: string) {
  const shed = new DatabaseSync(':memory:')
  shed.exec(
    "create table seeds (id integer, name text); insert into seeds values (1, 'rhubarb'), (2, 'kale')",
  )

  const server = createServer((question, answer) => {
    const { pathname, searchParams } = new URL(question.url ?? '/', behind)
    if (pathname === '/planted/') {
      answer.setHeader('content-type', 'text/html')
      answer.end(`<a href="/planted/greeting?name=ann">a</a> <a href="/planted/seeds?id=1">b</a>`)
    } else if (pathname === '/planted/greeting') {
      answer.setHeader('content-type', 'text/html')
      answer.end(`<html><body><p>Hello ${searchParams.get('name')}</p></body></html>`)
    } else if (pathname === '/planted/seeds') {
      answer.setHeader('content-type', 'text/html')
      try {
        const rows = shed.prepare(`select name from seeds where id = ${searchParams.get('id')}`).all()
        answer.end(`<p>${JSON.stringify(rows)}</p>`)
      } catch (error) {
        answer.statusCode = 500
        answer.end(`SQLite3::SQLException: ${error instanceof Error ? error.message : error}`)
      }
    } else if (pathname === '/.env') {
      answer.end('DATABASE_URL=postgres://rhubarb:secret@127.0.0.1/rhubarb\n')
    } else {
      const onward = request(behind + question.url, { method: question.method, headers: question.headers })
      onward.on('response', (came) => {
        answer.writeHead(came.statusCode ?? 502, came.headers)
        came.pipe(answer)
      })
      onward.on('error', () => answer.destroy())
      question.pipe(onward)
    }
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      shed.close()
    },
  }
}
