/** Why there is no embedded PostgreSQL, in a sentence for the operator. */
export class EmbeddedPostgresError extends Error {}
