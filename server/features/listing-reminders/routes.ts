import { answerReminder, getReminder } from '#contract/listing-reminders.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { answerReminderByToken, findReminderByToken } from './reminders.ts'

/** Serves the page that reminder mails link to. The signed token of the link replaces a login, so the owner's session is not needed. */
export function listingReminderRoutes(app: App, deps: Deps) {
  route(app, getReminder, ({ query }) => findReminderByToken(deps.db, query.token))
  route(app, answerReminder, ({ body }) => answerReminderByToken(deps, body))
}
