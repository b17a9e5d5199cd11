import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { countDays } from './figures.ts'

export const countFigures = jobKind<Record<never, never>>('count-figures')

export function registerFigureJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(countFigures, '*/10 * * * *', () => countDays(db))
}
