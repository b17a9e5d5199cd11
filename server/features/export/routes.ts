import { exportProfile } from '#contract/profile.ts'
import type { Deps } from '#server/deps.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { exportAccount } from './export.ts'

/** Limits a member's exports, because a large one takes seconds. */
const exportsPerMember = { burst: 5, perSecond: 1 / 60 }

export function exportRoutes(app: App, { db, tokenBuckets }: Deps) {
  const mayExport = tokenBuckets<number>(exportsPerMember)
  route(
    app,
    exportProfile,
    async ({ member }) => new RouteResponse(await exportAccount({ db, mayExport }, member.id), asDownload),
  )
}

const asDownload = {
  'content-disposition': 'attachment; filename="rhubarb-export.json"',
  'cache-control': 'private, no-store',
  'content-type': 'application/json; charset=utf-8',
}
