import { changeImage, uploadImage } from '#contract/images.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { describePhoto, uploadPhoto } from './photos.ts'

export function imageRoutes(app: App, deps: Deps) {
  route(app, uploadImage, ({ member, file }) => uploadPhoto(deps, member.id, file))
  route(app, changeImage, ({ member, params, body }) =>
    describePhoto(deps.db, member.id, params.id, body.alt),
  )
}
