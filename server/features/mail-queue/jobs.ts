import type { Deps } from '#server/deps.ts'
import { languageOf } from '#server/features/members/language.ts'
import { testMail } from '#server/features/site-checks/mails/test.ts'
import { jobKind } from '#server/platform/jobs.ts'

/** Sends a mail to an address that an operator has typed. No row has it, so the job's data does, and the job is kept for a day. */
export const sendTestMailJob = jobKind<{ user_id: number; to: string }>('send-test-mail', {
  keptSeconds: 24 * 60 * 60,
})

export function registerMailQueueJobs({
  db,
  jobs,
  mailer,
  translatorFor,
}: Pick<Deps, 'db' | 'jobs' | 'mailer' | 'translatorFor'>) {
  jobs.handle(sendTestMailJob, async ({ user_id, to }, job) => {
    await mailer.send(testMail(to, translatorFor(await languageOf(db, user_id))), job)
  })
}
