import type { FastifyInstance } from 'fastify'
import { html } from '#server/platform/html.ts'
import { readOutbox } from '#server/platform/mail.ts'

const thisMachine = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Shows the mails that were kept instead of sent, to a browser on the same machine only. */
export function serveOutbox(http: FastifyInstance, folder: string): void {
  http.get('/outbox', async (request, reply) => {
    if (!thisMachine.has(request.ip)) return reply.callNotFound()
    const mails = await readOutbox(folder)
    const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Outbox · Rhubarb</title></head>
<body>
<main>
<h1>Outbox</h1>
<p>No mail server is configured, so mails are kept here instead of being sent. The newest ${mails.length}:</p>
<ol reversed>
${mails.map((mail) => html`<li><a href="/outbox/${mail.id}">${mail.subject}</a> to ${mail.to}, <time datetime="${mail.sent_at}">${mail.sent_at}</time></li>\n`)}
</ol>
</main>
</body>
</html>`
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page.markup)
  })

  http.get<{ Params: { id: string } }>('/outbox/:id', async (request, reply) => {
    if (!thisMachine.has(request.ip)) return reply.callNotFound()
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
