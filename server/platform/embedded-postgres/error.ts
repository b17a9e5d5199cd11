import { OperatorError } from '#server/platform/errors.ts'

/** The embedded PostgreSQL could not start. */
export class EmbeddedPostgresError extends OperatorError {}
