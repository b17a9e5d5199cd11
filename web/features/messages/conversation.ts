import type { Message } from '#contract/messages.ts'

/** What is known of a conversation: messages in the order of their ids, and whether there are older ones. */
export interface Conversation {
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
}

/** Adds messages, each once and in order. What comes later knows better, for a message may have been read meanwhile. */
export function withMessages(known: readonly Message[], more: readonly Message[]): readonly Message[] {
  const last = known.at(-1)
  const [first] = more
  if (first === undefined) return known
  if (last === undefined || first.id > last.id) return [...known, ...more]
  const byId = new Map([...known, ...more].map((message) => [message.id, message]))
  return [...byId.values()].sort((one, other) => one.id - other.id)
}

/** A few messages are asked for again: one that was written before another may be told after it. */
const overlap = 20

/** After which message to ask for what is missing; nothing when nothing is known. */
export function catchUpAfter(messages: readonly Message[]): number | undefined {
  return messages.at(-overlap - 1)?.id ?? (messages.length > 0 ? 0 : undefined)
}

/** Messages of one side that follow one another closely: the time stands below the last. */
const runMs = 5 * 60_000

export function endsRun(message: Message, next: Message | undefined): boolean {
  if (next === undefined || next.sender_id !== message.sender_id) return true
  return Date.parse(next.created_at) - Date.parse(message.created_at) > runMs
}
