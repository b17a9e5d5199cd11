import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/**
 * The query of the readiness check. Load balancers call it often and with a short timeout. Exporting a snapshot writes a small file into
 * PostgreSQL's data folder and deletes it, which fails if its disk is full. An insert would not: it fits into pages that exist.
 */
const readinessQuery = { text: 'select pg_export_snapshot()', query_timeout: 2000 }
const diskFull = '53100'

/**
 * Serves `/livez` (the process runs) and `/readyz` (503 while the database is unavailable, its disk is full or the server is stopping).
 */
export function serveHealth(http: FastifyInstance, pool: pg.Pool): void {
  http.get('/livez', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  http.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const status = http.isDraining ? 'stopping' : await databaseStatus(pool)
    if (status === 'ok') return { status }
    return reply.code(503).header('retry-after', '5').send({ status })
  })
}

async function databaseStatus(pool: pg.Pool): Promise<string> {
  try {
    await pool.query(readinessQuery)
    return 'ok'
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === diskFull
    return isFull ? 'database disk full' : 'database unavailable'
  }
}
