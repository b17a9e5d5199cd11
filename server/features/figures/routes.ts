import { getFigures } from '#contract/figures.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { figuresOf } from './figures.ts'

export function figureRoutes(app: App, { db }: Deps) {
  route(app, getFigures, () => figuresOf(db))
}
