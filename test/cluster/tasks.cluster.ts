import { afterAll, expect, test } from 'vitest'
import {
  countUnreadMessages,
  listMessages,
  listThreadMembers,
  listThreads,
  markThreadRead,
  sendMessage,
} from '#contract/messages.ts'
import { connectTo } from '#test/database.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const coordinator = await connectTo(world.databaseUrl)
afterAll(async () => {
  await coordinator.end()
  await world[Symbol.asyncDispose]()
})
const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')
for (const { id } of [bob, cat]) await ann.call(sendMessage, { body: { receiver_id: id, content: 'Hello' } })

/** Returns how many shards each distributed part of the call's statements asks. */
async function tasksOf(call: () => Promise<unknown>): Promise<number[]> {
  using statements = recordStatements()
  await call()
  const tasks: number[] = []
  for (const { text, values } of statements.sent()) {
    if (!/\b(messages|threads)\b/.test(text) || !/^\s*(with|select|update)\b/i.test(text)) continue
    const { rows } = await coordinator.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values])
    for (const { 'QUERY PLAN': line } of rows) {
      const [, count] = /Task Count: (\d+)/.exec(line) ?? []
      if (count !== undefined) tasks.push(Number(count))
    }
  }
  return tasks
}

test.each<[name: string, call: () => Promise<unknown>]>([
  ['a conversation', () => ann.call(listMessages, { params: { id: bob.id }, query: {} })],
  ['the unread count', () => bob.call(countUnreadMessages)],
  ['the partners', () => ann.call(listThreadMembers, { query: {} })],
  ['reading a thread', () => bob.call(markThreadRead, { params: { id: ann.id } })],
])('%s asks one shard at a time', async (_, call) => {
  const tasks = await tasksOf(call)
  expect(tasks.length).toBeGreaterThan(0)
  expect(tasks.filter((count) => count !== 1)).toEqual([])
})

test('a thread list asks all shards for the last messages and the other sides only', async () => {
  const tasks = await tasksOf(() => ann.call(listThreads, { query: {} }))
  expect(tasks.filter((count) => count > 1).length).toBeLessThanOrEqual(2)
})
