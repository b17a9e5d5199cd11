import type { Deps } from '#server/deps.ts'
import { welcomeMail } from './job-kinds.ts'

export function authSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>) {
  events.subscribe('member_registered', (tx, { user_id }) => jobs.add(tx, welcomeMail, { user_id }))
}
