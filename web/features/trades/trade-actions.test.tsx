import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  acceptTrade,
  denyHandOver,
  handOverTrade,
  type Trade,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import { Refusal } from '#web/testing/fake-api.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { HandOver } from './hand-over.tsx'
import { TradeActions } from './trade-actions.tsx'

const listing: Trade['legs'][number]['listing'] = {
  id: 5,
  title: 'Meyer lemons',
  featured_image: null,
  drawing: null,
  type_id: 3,
  price: 0,
  owner_id: 1,
  is_visible: true,
}
const member = (id: number, username: string) => ({ id, username, profile_picture: null })
const leg: Trade['legs'][number] = {
  listing,
  giver_id: 1,
  giver: member(1, 'ann'),
  taker_id: 2,
  taker: member(2, 'bob'),
  quantity: null,
  unit: null,
  accepted: false,
  handed_over: false,
  confirm_at: null,
  pickup_place: null,
  position: 1,
}
const requested: Trade = {
  id: 9,
  kind: 'single',
  state: 'requested',
  end_reason: null,
  requester_id: 2,
  note: null,
  legs: [leg],
  created_at: '2026-05-01T12:00:00.000Z',
  updated_at: '2026-05-01T12:00:00.000Z',
  expires_at: '2026-05-08T12:00:00.000Z',
  pickup: null,
  allowed: ['accept', 'decline'],
  requester: null,
  thanks: [],
}
const accepted: Trade = {
  ...requested,
  state: 'accepted',
  allowed: ['withdraw', 'hand_over', 'propose_pickup'],
}
const button = (name: string) => page.getByRole('button', { name })

test('shows a button for each step that the member can take, and no other', async () => {
  const { show } = await renderInApp(<TradeActions trade={requested} />)
  await expect.element(button('accept')).toBeVisible()
  await expect.element(button('decline')).toBeVisible()
  await expect.element(button('withdraw')).not.toBeInTheDocument()

  await show(<TradeActions trade={accepted} />)
  await expect.element(button('withdraw')).toBeVisible()
  await expect.element(button('arrange the pickup')).toBeVisible()
  await expect.element(button('decline')).not.toBeInTheDocument()
})

test('two presses of accept send one call', async () => {
  const { api } = await renderInApp(<TradeActions trade={requested} />)
  const answered = Promise.withResolvers<Trade>()
  const calls = api.on(acceptTrade, () => answered.promise)
  await userEvent.dblClick(button('accept'))

  await expect.element(button('Saving...')).toBeVisible()
  answered.resolve(accepted)
  await expect.element(button('accept')).toBeVisible()
  expect(calls.map(({ params }) => params.id)).toEqual(['9'])
})

test('a trade that has changed meanwhile says so and keeps its buttons', async () => {
  const { api, screen } = await renderInApp(<TradeActions trade={requested} />)
  api.on(acceptTrade, () => new Refusal(409, { detail: tradeMessages.conflict, code: 'trade_conflict' }))
  await userEvent.click(button('accept'))

  await expect.element(screen.getByText(tradeMessages.conflict, { exact: false })).toBeVisible()
  await expect.element(button('accept')).toBeVisible()
})

test('ending a promise asks before it withdraws', async () => {
  const { api } = await renderInApp(<TradeActions trade={accepted} />)
  const calls = api.on(withdrawTrade, () => ({ ...accepted, state: 'withdrawn' as const, allowed: [] }))
  await userEvent.click(button('withdraw'))
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('heading')).toHaveTextContent('end this promise?')
  expect(calls).toEqual([])

  await userEvent.click(dialog.getByRole('button', { name: 'withdraw' }))
  await expect.poll(() => calls.length).toBe(1)
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a handover names its listing and sends its id', async () => {
  const { api } = await renderInApp(<HandOver trade={accepted} leg={leg} />)
  const calls = api.on(handOverTrade, () => accepted)
  await userEvent.click(button('I handed it over: Meyer lemons'))

  await expect.poll(() => calls.map(({ body }) => body.listing_id)).toEqual([5])
})

test('a giver answers the taker who says they have it', async () => {
  const claimed = { ...leg, confirm_at: '2026-05-03T12:00:00.000Z' }
  const { api, screen } = await renderInApp(<HandOver trade={accepted} leg={claimed} />)
  const [yes, no] = [api.on(handOverTrade, () => accepted), api.on(denyHandOver, () => accepted)]
  await expect.element(screen.getByText(/says they have it\. Is that right\?/)).toBeVisible()
  await expect.element(screen.getByText(/counts as handed over on .*May 3/)).toBeVisible()
  await userEvent.click(button('not yet: Meyer lemons'))
  await userEvent.click(button('yes: Meyer lemons'))

  await expect.poll(() => [yes.length, no.length]).toEqual([1, 1])
})

test('a taker who says they have it waits for the giver', async () => {
  const mine = { ...leg, giver_id: 2, taker_id: 1, giver: member(2, 'bob'), taker: member(1, 'ann') }
  const { screen, show } = await renderInApp(<HandOver trade={accepted} leg={mine} />)
  await expect.element(button('I have it: Meyer lemons')).toBeVisible()

  await show(<HandOver trade={accepted} leg={{ ...mine, confirm_at: '2026-05-03T12:00:00.000Z' }} />)
  await expect.element(screen.getByText(/Waiting for bob to say yes/)).toBeVisible()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})
