import type { Language } from '#contract/languages.ts'
import { jobKind } from '#server/platform/jobs.ts'

/** Sends a mail to who was not let in. The job's data has the address, because no row has it any more, so the job is kept for a day. */
export const sendRefusalMail = jobKind<{
  email: string
  first_name: string
  language: Language | null
  reason: string
}>('send-registration-refusal-mail', { keptSeconds: 24 * 60 * 60 })
