import type { Feature } from '#server/feature.ts'
import { registerInvitationJobs } from './jobs.ts'
import { invitationRoutes } from './routes.ts'
import { invitationSubscribers } from './subscribers.ts'

export const invitationsFeature: Feature = {
  routes: invitationRoutes,
  jobs: registerInvitationJobs,
  subscribers: invitationSubscribers,
}
