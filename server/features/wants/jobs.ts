import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { fileSomeWants } from './filing.ts'

export const catchUpWants = jobKind<Record<never, never>>('catch-up-wants')

const batch = 200

export function wantJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(catchUpWants, '* * * * *', async () => {
    for (let filed = batch; filed === batch; ) filed = (await fileSomeWants(db, batch)).length
  })
}
