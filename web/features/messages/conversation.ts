import { plural } from '@lingui/core/macro'
import type { Message } from '#contract/messages.ts'

/**
 * A cached conversation: messages in the order of their ids, whether there are older ones, and the id of the last message that a
 * fetched page contained (zero without one). Messages from events may have gaps before them, so catching up starts at that id.
 */
export interface Conversation {
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
  readonly syncedUpTo: number
}

/** Adds messages, each once and in order. A message that was read stays read, in whatever order its states arrive. */
export function withMessages(known: readonly Message[], added: readonly Message[]): readonly Message[] {
  const last = known.at(-1)
  const [first] = added
  if (first === undefined) return known
  if (last === undefined || first.id > last.id) return [...known, ...added]
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of added) {
    const is_read = message.is_read || byId.get(message.id)?.is_read === true
    byId.set(message.id, { ...message, is_read })
  }
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

/** Returns the text of a message, or the number of its photos if it has no text. */
export function previewOf({ content, images }: Pick<Message, 'content' | 'images'>): string {
  return content || plural(images.length, { 1: 'Photo', one: '# photo', other: '# photos' })
}

/** Messages of one sender with pauses up to this form a run, with the time below the last one. */
const maxPauseMs = 5 * 60_000

/** Returns whether a message is the last of its run. */
export function endsRun(message: Message, next: Message | undefined): boolean {
  if (next === undefined || next.sender_id !== message.sender_id) return true
  return Date.parse(next.created_at) - Date.parse(message.created_at) > maxPauseMs
}
