import { listMessages, type Message, markThreadRead, sendMessage } from '#contract/messages.ts'
import type { Actor } from './actor.ts'

type Member = Pick<Actor, 'id'>

export const write = (from: Actor, to: Member, content: string) =>
  from.call(sendMessage, { body: { receiver_id: to.id, content } })

/** Returns a page of a conversation, by default the latest messages, oldest first. */
export const conversation = (reader: Actor, partner: Member, query = {}) =>
  reader.call(listMessages, { params: { id: partner.id }, query })

export const markRead = (reader: Actor, partner: Member) =>
  reader.call(markThreadRead, { params: { id: partner.id } })

/** Returns all messages of a conversation, oldest first. */
export async function wholeConversation(reader: Actor, partner: Member): Promise<Message[]> {
  const all = await conversation(reader, partner, { limit: 100 })
  for (let page = all; page.length === 100; ) {
    page = await conversation(reader, partner, { before: page[0]?.id, limit: 100 })
    all.unshift(...page)
  }
  return all
}

export const contentsOf = (messages: readonly Pick<Message, 'content'>[]) =>
  messages.map(({ content }) => content)
