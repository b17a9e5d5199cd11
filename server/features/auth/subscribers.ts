import type { Deps } from '#server/deps.ts'
import { sendWelcomeMail } from './job-kinds.ts'

export function authSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>) {
  events.subscribe('member_registered', (tx, { user_id, is_approved }) =>
    jobs.add(tx, sendWelcomeMail, { user_id, ...(is_approved && { is_approved }) }),
  )
}
