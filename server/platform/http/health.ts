import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** `/livez`: the process answers. `/readyz`: it can serve now; 503 while the database is away or the server is stopping. */
export function serveHealth(http: FastifyInstance, pool: pg.Pool): void {
  let stopping = false
  http.addHook('preClose', async () => {
    stopping = true
  })
  http.get('/livez', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  http.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const ready =
      !stopping &&
      (await pool.query('select 1').then(
        () => true,
        () => false,
      ))
    if (ready) return { status: 'ok' }
    return reply
      .code(503)
      .header('retry-after', '5')
      .send({ status: stopping ? 'stopping' : 'database away' })
  })
}
