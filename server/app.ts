import type { FastifyInstance } from 'fastify'
import { apiBase } from '#contract/constants.ts'
import type { Deps, Subscriber } from './deps.ts'
import { findRole } from './features/desk/roles.ts'
import { features, hub } from './features.ts'
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
        roleOf: (member) => findRole(deps.db, member),
        https: deps.publicUrl.startsWith('https:'),
        mayCall: deps.tokenBuckets(memberRate),
        hasEnded: async (session) => (await listEnded([session])).length > 0,
        runInSession,
        limitWrites: createQueues(writesOfMember),
        uploads: deps.uploads,
        afterWrite: deps.reads.afterWrite,
        endpoints: [],
      }
      for (const { routes } of features) routes?.(app, deps, hub)
      await serveOpenApi(app, deps.publicUrl)
    },
    { prefix: apiBase },
  )
}

/** Registers the handlers of all jobs. */
export function registerJobs(deps: Deps): void {
  for (const { jobs } of features) jobs?.(deps, hub)
}

/** Subscribes the features to the domain events of others. */
export function registerSubscribers(deps: Subscriber): void {
  for (const { subscribers } of features) subscribers?.(deps, hub)
}
