import pg from 'pg'

/** Returns the violated constraint if the error is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined
}

/** Returns whether a referenced row does not exist any more. */
export function foreignKeyViolated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

const deadlock = '40P01'

export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === deadlock
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  // Statement timeout, lock timeout.
  '57014',
  '55P03',
  deadlock,
  '57P01',
  '57P02',
  '57P03',
  // Disk full, too many connections, I/O error.
  '53100',
  '53300',
  '58030',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25006',
])

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

/** Returns whether there is no PostgreSQL at an address, or it refuses the login or does not have the database. */
export function connectionRefused(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(28...|3D000|57P03|53300)$/.test(error.code ?? '')
  return error instanceof Error && 'code' in error && unreachableCodes.has(String(error.code))
}

/** Returns whether an error means that the database is unavailable, not that the statement is wrong. */
export function databaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && unavailableCodes.has(error.code)) return true
  // PgBouncer ends a connection with this code, for example when it can not reach PostgreSQL.
  if (error instanceof pg.DatabaseError && error.severity === 'FATAL' && error.code === '08P01') return true
  return /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  )
}
