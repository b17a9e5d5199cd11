import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** The query of the readiness check. Load balancers call it often and with a short timeout. */
const readinessQuery = { text: 'select 1', query_timeout: 2000 }

/** Serves `/livez` (the process runs) and `/readyz` (503 while the database is unavailable or the server is stopping). */
export function serveHealth(http: FastifyInstance, pool: pg.Pool): void {
  http.get('/livez', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  http.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const ready =
      !http.isDraining &&
      (await pool.query(readinessQuery).then(
        () => true,
        () => false,
      ))
    if (ready) return { status: 'ok' }
    return reply
      .code(503)
      .header('retry-after', '5')
      .send({ status: http.isDraining ? 'stopping' : 'database unavailable' })
  })
}
