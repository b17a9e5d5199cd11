import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** A load balancer asks often and with a short timeout. */
const question = { text: 'select 1', query_timeout: 2000 }

/** `/livez`: the process answers. `/readyz`: it can serve now; 503 while the database is away or the server is stopping. */
export function serveHealth(http: FastifyInstance, pool: pg.Pool): void {
  http.get('/livez', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  http.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const ready =
      !http.isLeaving &&
      (await pool.query(question).then(
        () => true,
        () => false,
      ))
    if (ready) return { status: 'ok' }
    return reply
      .code(503)
      .header('retry-after', '5')
      .send({ status: http.isLeaving ? 'stopping' : 'database away' })
  })
}
