import { limits } from '#contract/constants.ts'
import { changeImage, imageMessages, uploadImage } from '#contract/images.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { describePhoto, uploadPhoto } from './photos.ts'

export function imageRoutes(app: App, deps: Deps) {
  const perDay = deps.limits('photos', {
    attempts: limits.photos.uploadsPerDay,
    limited: imageMessages.tooManyPerDay,
  })
  route(app, uploadImage, async ({ member, file }) => {
    await perDay.attempt(String(member.id))
    return uploadPhoto(deps, member.id, file)
  })
  route(app, changeImage, ({ member, params, body }) =>
    describePhoto(deps.db, member.id, params.id, body.alt),
  )
}
