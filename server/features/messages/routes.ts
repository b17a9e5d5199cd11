import {
  countUnreadMessages,
  listMessages,
  listThreadMembers,
  listThreads,
  listWithdrawnSenders,
  markThreadRead,
  sendMessage,
} from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { countUnread } from './queries.ts'
import { messageSender } from './sending.ts'
import { conversation, markConversationRead, pageOfPartners, pageOfThreads } from './threads.ts'
import { withdrawnSenders } from './withdrawal.ts'

export function messageRoutes(app: App, deps: Deps) {
  const { db, realtime } = deps
  const send = messageSender(deps)
  realtime.handle('send_message', async (member, sent) => ({
    message: (await send(member, sent)).message,
  }))
  route(app, sendMessage, async ({ member, body }) => {
    const { message, isNew } = await send(member, body)
    return new RouteResponse(message, {}, isNew ? 201 : 200)
  })
  route(app, listThreadMembers, ({ member, query }) => pageOfPartners(db, member.id, query))
  route(app, listThreads, ({ member, query }) => pageOfThreads(deps, member.id, query))
  route(app, countUnreadMessages, ({ member }) => countUnread(db, member.id))
  route(app, listWithdrawnSenders, ({ member }) => withdrawnSenders(db, member.id))
  route(app, listMessages, ({ member, params, query }) => conversation(db, member.id, params.id, query))
  route(app, markThreadRead, ({ member, params }) =>
    markConversationRead({ db, realtime }, member.id, params.id),
  )
}
