import { expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { endsRun, withMessages } from './conversation.ts'

const message = (id: number, change: Partial<Message> = {}): Message => ({
  id,
  sender_id: 1,
  receiver_id: 2,
  content: `Message ${id}`,
  created_at: '2026-05-01T12:00:00.000Z',
  is_read: false,
  client_id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  listing: null,
  trade_id: null,
  images: [],
  ...change,
})
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

test('shows a message once and in order, also if it arrives twice, late or out of order', () => {
  const known = [1, 2, 5].map((id) => message(id))

  expect(ids(withMessages(known, [message(4), message(2), message(6)]))).toEqual([1, 2, 4, 5, 6])
  expect(ids(withMessages(known, [message(5)]))).toEqual([1, 2, 5])
  expect(ids(withMessages([], known))).toEqual([1, 2, 5])
  expect(withMessages(known, [])).toBe(known)
})

test('takes the read state of a later copy of a message', () => {
  expect(withMessages([message(1)], [message(1, { is_read: true })])).toEqual([message(1, { is_read: true })])
})

test('shows the time below the last message of a run', () => {
  const later = (minutes: number) =>
    new Date(Date.parse(message(1).created_at) + minutes * 60_000).toISOString()

  expect(endsRun(message(1), undefined)).toBe(true)
  expect(endsRun(message(1), message(2, { created_at: later(1) }))).toBe(false)
  expect(endsRun(message(1), message(2, { created_at: later(6) }))).toBe(true)
  expect(endsRun(message(1), message(2, { sender_id: 2, created_at: later(1) }))).toBe(true)
})
