import {
  createWant,
  deleteWant,
  listWants,
  renameWant,
  replaceWant,
  saveWants,
  searchWants,
} from '#contract/wants.ts'
import type { Deps } from '#server/deps.ts'
import { listingCounts } from '#server/features/matches/matches.ts'
import { searchWantLists } from '#server/features/wants/search.ts'
import {
  addWant,
  changeWantList,
  changeWantTitle,
  removeWant,
  wantList,
} from '#server/features/wants/want.ts'
import { type App, route } from '#server/platform/http/route.ts'

/** A rename matches the want with many listings. Deleting a whole list takes a call for each want. */
const changeRate = { burst: 30, perSecond: 1 }

export function wantRoutes(app: App, { db, events, tokenBuckets }: Deps) {
  const deps = { db, events, takeToken: tokenBuckets<number>(changeRate), listingCounts }
  route(app, listWants, ({ member, query }) => wantList(deps, member.id, query.user_id))
  route(app, searchWants, ({ member, query }) => searchWantLists(db, member.id, query))
  route(app, createWant, ({ member, body }) => addWant(deps, member.id, body))
  route(app, saveWants, ({ member, body }) => changeWantList(deps, member.id, body))
  route(app, renameWant, ({ member, params, body }) =>
    changeWantTitle(deps, member.id, params.id, body.title),
  )
  route(app, replaceWant, ({ member, params, body }) =>
    changeWantTitle(deps, member.id, params.id, body.title),
  )
  route(app, deleteWant, ({ member, params }) => removeWant(deps, member.id, params.id))
}
