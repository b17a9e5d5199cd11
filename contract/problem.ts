import { z } from 'zod/mini'

/** The codes of problems that clients handle specially. */
export const problemCodes = [
  'client_id_reused',
  'location_unknown',
  'photos_not_usable',
  'contacts_used',
  'contacts_unconfirmed',
  'equal_texts',
  'paused',
  'suspended',
  'trade_conflict',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Returns the `type` of a problem with a code. */
export function problemType(code: ProblemCode): string {
  return `urn:rhubarb:problem:${code}`
}

/** RFC 9457 problem details. `detail` is one sentence, or for validation errors all messages, one per line. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.optional(z.enum(problemCodes)),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
})
export type Problem = z.output<typeof problem>
