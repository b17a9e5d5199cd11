import { getImage } from '#contract/images.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { openImage } from './open-images.ts'

export function imageRoutes(app: App, { images }: Deps) {
  route(app, getImage, ({ params }) => openImage(images, params.name, 'public, max-age=31536000, immutable'))
}
