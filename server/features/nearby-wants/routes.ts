import { listCropSeasons, listNearbyWants } from '#contract/wants.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { createCropCounts } from './crop-counts.ts'
import { cropSeasons } from './crop-seasons.ts'
import { nearbyWants } from './nearby-wants.ts'

export function nearbyWantRoutes(app: App, { db }: Deps) {
  const cropCounts = createCropCounts(db)
  route(app, listCropSeasons, ({ member, query }) => cropSeasons(db, member.id, query))
  route(app, listNearbyWants, ({ member, query }) => nearbyWants({ db, cropCounts }, member.id, query))
}
