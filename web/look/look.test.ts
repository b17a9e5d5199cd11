import { expect, test } from 'vitest'
import { callsAt } from '#contract/address.ts'
import { firstCalls } from '#contract/first-calls.ts'
import type { BroughtAnswer } from '#web/api/first-answers.ts'
import { drawLook, rehearse, setSite } from './look.tsx'
import { rehearsals } from './rehearsals.ts'

setSite({ support_email: 'help@rhubarb.example', social_links: [] })
const [ann, bob] = [3, 7]
const member = {
  id: bob,
  username: 'bob',
  profile_picture: null,
  city: null,
  state: null,
  zip_code: null,
  friend_count: 0,
}
const said = {
  id: 1,
  sender_id: bob,
  receiver_id: ann,
  content: 'Is it ripe?',
  created_at: '2026-11-21T12:00:00.000Z',
  is_read: true,
  client_id: '9b2f6a1c-6c9f-4f0e-9a37-0d2f6e1f6b11',
}

/** What the conversation of Ann with Bob asks first, answered in this order. */
function brought(...bodies: unknown[]): BroughtAnswer[] {
  return callsAt(firstCalls, `/messages/${bob}`).map((address, place) => ({
    address,
    link: null,
    body: bodies[place],
  }))
}

test('a screen is drawn of the answers to what it asks', async () => {
  const { markup, title } = await drawLook(`/messages/${bob}`, ann, brought(member, [said], 1, 0))
  expect(markup).toContain('Is it ripe?')
  expect(title).toBe('Conversation · Rhubarb')
})

test('one that breaks while it is drawn is none, and the next is drawn', async () => {
  await expect(drawLook(`/messages/${bob}`, ann, brought(member, [said], {}, {}))).rejects.toThrow('broke')
  await expect(drawLook(`/messages/${bob}`, ann, brought(member, [said], 1))).rejects.toThrow(
    'not there at once',
  )
  expect((await drawLook(`/messages/${bob}`, ann, brought(member, [said], 1, 0))).markup).toContain(
    'Is it ripe?',
  )
})

test('each screen whose page brings it can be rehearsed, and is', async () => {
  await expect(rehearse()).resolves.toBeUndefined()
  const rehearsed = rehearsals.map(({ brought }) => brought.map(({ address }) => address.replace(/\d+/, '0')))
  expect(rehearsed.sort()).toEqual(
    firstCalls.map(({ calls }) => [...calls].map((address) => address.replace(/\d+/, '0'))).sort(),
  )
})
