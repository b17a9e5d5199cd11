import { answerReminder, getReminder } from '#contract/listing-reminders.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { answerByToken, findReminderByToken } from './reminders.ts'

export function listingReminderRoutes(app: App, deps: Deps) {
  route(app, getReminder, ({ query }) => findReminderByToken(deps.db, query.token))
  route(app, answerReminder, ({ body }) => answerByToken(deps, body))
}
