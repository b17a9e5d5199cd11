import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '#server/platform/html.ts'
import { readOutbox } from '#server/platform/mail.ts'

const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** The headers in which a proxy names its client. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip']

/**
 * Returns whether a request comes from this machine with a loopback host name, and not through a proxy. Other names may resolve to a
 * loopback address for pages of attackers (DNS rebinding).
 */
function isLocal({ ip, headers }: FastifyRequest): boolean {
  const isProxied = proxyHeaders.some((name) => headers[name] !== undefined)
  return loopbackAddresses.has(ip) && loopbackHost.test(headers.host ?? '') && !isProxied
}

/** Shows the stored mails to browsers on the same machine that use a loopback host name. */
export function serveOutbox(http: FastifyInstance, folder: string): void {
  http.get('/outbox', async (request, reply) => {
    if (!isLocal(request)) return reply.callNotFound()
    const mails = await readOutbox(folder)
    const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Outbox · Rhubarb</title></head>
<body>
<main>
<h1>Outbox</h1>
<p>No mail server is configured, so mails are stored here instead of being sent. The newest ${mails.length}:</p>
<ol reversed>
${mails.map(
  (
    mail,
  ) => html`<li><a href="/outbox/${mail.id}">${mail.subject}</a> to ${mail.to}, <time datetime="${mail.sent_at}">${mail.sent_at}</time>
<details><summary>Headers</summary><pre>${mail.header}</pre></details></li>\n`,
)}
</ol>
</main>
</body>
</html>`
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page.markup)
  })

  http.get<{ Params: { id: string } }>('/outbox/:id', async (request, reply) => {
    if (!isLocal(request)) return reply.callNotFound()
    const mail = (await readOutbox(folder)).find(({ id }) => id === request.params.id)
    if (!mail) return reply.callNotFound()
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox allow-popups allow-top-navigation-by-user-activation",
      })
      .send(mail.html)
  })
}
