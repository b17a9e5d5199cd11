import { listCropSeasons, listNearbyWants } from '#contract/wants.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { cropSeasons } from './crop-seasons.ts'
import { nearbyWants } from './nearby-wants.ts'

export function nearbyWantRoutes(app: App, { db }: Deps) {
  route(app, listCropSeasons, ({ member, query }) => cropSeasons(db, member.id, query))
  route(app, listNearbyWants, ({ member, query }) => nearbyWants(db, member.id, query))
}
