import { limits as numbers } from '#contract/constants.ts'
import {
  acceptTrade,
  changePickup,
  createTrade,
  declineTrade,
  denyHandOver,
  getPickupCalendar,
  getTrade,
  handOverTrade,
  hideThanks,
  listRings,
  listThanks,
  listTrades,
  setPickupPlace,
  thankForTrade,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { firstContactLimit } from '#server/features/messages/first-contacts.ts'
import { suggestedRings } from '#server/features/rings/rings.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { arrangePickup, pickupCalendar, setPlace } from './pickups.ts'
import { propose } from './proposals.ts'
import { hide, pageOfThanks, thank } from './thanks.ts'
import { takeStep } from './trades.ts'
import { listingsInOpenRings } from './view-queries.ts'
import { pageOfTrades, tradeOf } from './views.ts'

export function tradeRoutes(app: App, deps: Deps) {
  const { db, limits, publicUrl, translatorFor } = deps
  const seconds = 24 * 60 * 60
  const countFirstContact = firstContactLimit(deps)
  // Each request and each proposed pickup sends a mail and a push to other members.
  const requestsPerDay = limits('trade requests', {
    attempts: numbers.trade.requestsPerDay,
    seconds,
    limited: tradeMessages.tooManyPerDay,
  })
  const pickupChangesPerDay = limits('pickup changes', {
    attempts: numbers.trade.pickupChangesPerDay,
    seconds,
    limited: tradeMessages.tooManyPickupChanges,
  })
  route(app, createTrade, async ({ member, body }) => {
    await requestsPerDay.attempt(String(member.id))
    const { trade, isNew } = await propose({ ...deps, countFirstContact }, member.id, body)
    return new RouteResponse(trade, {}, isNew ? 201 : 200)
  })
  route(app, listTrades, ({ member, query }) => pageOfTrades(db, member.id, query))
  route(app, listRings, async ({ member }) =>
    suggestedRings(db, member.id, await listingsInOpenRings(db, member.id)),
  )
  route(app, getTrade, ({ member, params }) => tradeOf(db, member.id, params.id))
  route(app, acceptTrade, ({ member, params }) => takeStep(deps, member.id, params.id, 'accept'))
  route(app, declineTrade, ({ member, params }) => takeStep(deps, member.id, params.id, 'decline'))
  route(app, withdrawTrade, ({ member, params }) => takeStep(deps, member.id, params.id, 'withdraw'))
  route(app, handOverTrade, ({ member, params, body }) =>
    takeStep(deps, member.id, params.id, 'hand_over', body),
  )
  route(app, denyHandOver, ({ member, params }) => takeStep(deps, member.id, params.id, 'deny_hand_over'))
  route(app, changePickup, async ({ member, params, body }) => {
    await pickupChangesPerDay.attempt(String(member.id))
    return arrangePickup(deps, member.id, params.id, body)
  })
  route(app, setPickupPlace, async ({ member, params, body }) => {
    await pickupChangesPerDay.attempt(String(member.id))
    return setPlace(deps, member.id, params.id, body.place)
  })
  route(
    app,
    getPickupCalendar,
    async ({ member, params }) =>
      new RouteResponse(
        await pickupCalendar({ db, publicUrl, translatorFor }, member.id, params.id),
        calendarHeaders,
      ),
  )
  route(app, thankForTrade, async ({ member, params, body }) => {
    const { thanks, isNew } = await thank(deps, member.id, params.id, body.text)
    return new RouteResponse(thanks, {}, isNew ? 201 : 200)
  })
  route(app, listThanks, ({ member, params, query }) => pageOfThanks(db, member.id, params.id, query))
  route(app, hideThanks, ({ member, params }) => hide(db, member.id, params.id))
}

const calendarHeaders = {
  'content-type': 'text/calendar; charset=utf-8; method=PUBLISH',
  'content-disposition': 'attachment; filename="pickup.ics"',
}
