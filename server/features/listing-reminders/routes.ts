import { answerReminder, getReminder } from '#contract/listing-reminders.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { answerByLink, showReminder } from './reminders.ts'

export function listingReminderRoutes(app: App, { db, events }: Deps) {
  route(app, getReminder, ({ query }) => showReminder(db, query.token))
  route(app, answerReminder, ({ body }) => answerByLink({ db, events }, body))
}
