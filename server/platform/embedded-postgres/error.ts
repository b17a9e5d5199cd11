/** The embedded PostgreSQL could not start. The message is for the operator. */
export class EmbeddedPostgresError extends Error {}
