import { beforeEach, expect, test } from 'vitest'
import { draftPrefix } from '#web/login/stored-data.ts'
import { fakeLogin } from '#web/testing/fake-login.ts'
import { createUnsentStore } from './unsent-messages.ts'

const unsent = {
  client_id: 'one',
  receiver_id: 2,
  content: 'Are the lemons ripe?',
  created_at: '2026-05-01T12:00:00.000Z',
  state: 'failed',
}

function restored(stored: unknown) {
  localStorage.setItem(`${draftPrefix}1:outbox`, JSON.stringify(stored))
  return createUnsentStore(fakeLogin()).get()
}

beforeEach(() => localStorage.clear())

test('restores messages with their listing, photos and refusal', () => {
  const whole = {
    ...unsent,
    listing: { id: 5, title: 'Lemons' },
    photos: { draft: 'photos', count: 2 },
    refusal: 'not_found',
  }
  expect(restored([unsent, whole])).toEqual([unsent, whole])
})

test('a reason that another release has stored becomes an unknown one', () => {
  expect(restored([{ ...unsent, refusal: 'too_late' }])).toEqual([{ ...unsent, refusal: 'other' }])
})

test.each([
  'text',
  [null],
  [{ ...unsent, content: 7 }],
  [{ ...unsent, receiver_id: '2' }],
  [{ ...unsent, state: 'sent' }],
  [{ ...unsent, listing: { id: 5 } }],
  [{ ...unsent, photos: null }],
])('restores nothing from %j', (stored) => {
  expect(restored(stored)).toEqual([])
})
