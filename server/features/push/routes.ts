import { getPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { publicKey, subscribe, unsubscribe } from './push.ts'

export function pushRoutes(app: App, { db, pusher }: Deps) {
  route(app, getPushKey, () => publicKey(db))
  route(app, subscribeToPush, ({ member, body }) => subscribe({ db, pusher }, member, body))
  route(app, unsubscribeFromPush, ({ member, body }) => unsubscribe(db, member.id, body.endpoint))
}
