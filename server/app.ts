import type { FastifyInstance } from 'fastify'
import { apiBase } from '#contract/constants.ts'
import { hub } from './declarations.ts'
import type { Deps } from './deps.ts'
import { registerAuthJobs } from './features/auth/jobs.ts'
import { authRoutes } from './features/auth/routes.ts'
import { exportRoutes } from './features/export/routes.ts'
import { friendRoutes } from './features/friends/routes.ts'
import { imageAccessRoutes } from './features/image-access/routes.ts'
import { registerImageJobs } from './features/images/jobs.ts'
import { imageRoutes } from './features/images/routes.ts'
import { registerInvitationJobs } from './features/invitations/jobs.ts'
import { invitationRoutes } from './features/invitations/routes.ts'
import { registerListingReminderJobs } from './features/listing-reminders/jobs.ts'
import { listingReminderRoutes } from './features/listing-reminders/routes.ts'
import { registerListingJobs } from './features/listings/jobs.ts'
import { listingRoutes } from './features/listings/routes.ts'
import { registerMatchJobs } from './features/matches/jobs.ts'
import { matchRoutes } from './features/matches/routes.ts'
import { registerMemberJobs } from './features/members/jobs.ts'
import { memberRoutes } from './features/members/routes.ts'
import { messageRoutes } from './features/messages/routes.ts'
import { registerNotificationJobs } from './features/notifications/jobs.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { registerPushJobs } from './features/push/jobs.ts'
import { pushRoutes } from './features/push/routes.ts'
import { registerRecentWriteJobs } from './features/recent-writes/jobs.ts'
import { registerReportJobs } from './features/reports/jobs.ts'
import { reportRoutes } from './features/reports/routes.ts'
import { registerRingJobs } from './features/rings/jobs.ts'
import { sitePageRoutes } from './features/site-pages/routes.ts'
import { registerTradeJobs } from './features/trades/jobs.ts'
import { tradeRoutes } from './features/trades/routes.ts'
import { wantRoutes } from './features/want-lists/routes.ts'
import { registerWantJobs } from './features/wants/jobs.ts'
import { serveOpenApi } from './platform/http/openapi.ts'
import type { App } from './platform/http/route.ts'
import { createQueues } from './platform/queue.ts'

/** The rate limit of a member's API calls on one node. A page makes about ten calls. */
const memberRate = { burst: 300, perSecond: 30 }
/** The writes of a member that run at a time on one node, because each holds a connection to the database. */
const writesOfMember = { concurrency: 4, maxWaiting: 300 }

/** Registers the API: the routes of every feature and the OpenAPI document. */
export async function registerApi(http: FastifyInstance, deps: Deps): Promise<void> {
  await http.register(
    async (scope) => {
      // Responses must not stay in the cache of a shared browser. Photos override this.
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
      })
      const { find, listEnded, runInSession } = deps.sessions
      const app: App = {
        http: scope,
        authenticate: find,
        https: deps.publicUrl.startsWith('https:'),
        mayCall: deps.tokenBuckets(memberRate),
        hasEnded: async (session) => (await listEnded([session])).length > 0,
        runInSession,
        limitWrites: createQueues(writesOfMember),
        uploads: deps.uploads,
        afterWrite: deps.reads.afterWrite,
        endpoints: [],
      }
      authRoutes(app, deps)
      memberRoutes(app, deps)
      exportRoutes(app, deps)
      listingRoutes(app, deps)
      listingReminderRoutes(app, deps)
      wantRoutes(app, deps)
      matchRoutes(app, deps)
      pushRoutes(app, deps)
      imageRoutes(app, deps)
      imageAccessRoutes(app, deps)
      friendRoutes(app, deps)
      notificationRoutes(app, deps, hub)
      invitationRoutes(app, deps)
      messageRoutes(app, deps)
      tradeRoutes(app, deps)
      reportRoutes(app, deps)
      sitePageRoutes(app, deps)
      await serveOpenApi(app)
    },
    { prefix: apiBase },
  )
}

/** Registers the handlers of all jobs. */
export function registerJobs(deps: Deps): void {
  registerAuthJobs(deps)
  registerMemberJobs(deps)
  registerImageJobs(deps)
  registerNotificationJobs(deps, hub)
  registerInvitationJobs(deps)
  registerListingJobs(deps)
  registerListingReminderJobs(deps)
  registerPushJobs(deps)
  registerRecentWriteJobs(deps)
  registerReportJobs(deps)
  registerWantJobs(deps)
  registerMatchJobs(deps)
  registerRingJobs(deps)
  registerTradeJobs(deps)
}
