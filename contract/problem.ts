import { z } from 'zod'

/** RFC 9457 problem details. `detail` is one sentence; for a validation failure every message, one a line. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type Problem = z.output<typeof problem>
