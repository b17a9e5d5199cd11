import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { fileWhatIsNot, forgetWords, placeMembers } from './search.ts'

export const catchUpSearch = jobKind<Record<never, never>>('catch-up-search')
const tidyVocabulary = jobKind<Record<never, never>>('tidy-vocabulary')

export function listingJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(catchUpSearch, '* * * * *', async () => {
    await placeMembers(db)
    await fileWhatIsNot(db)
  })
  jobs.repeat(tidyVocabulary, '43 * * * *', () => forgetWords(db))
}
