import { afterAll, describe, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { listListings } from '#contract/listing-queries.ts'
import {
  createListing,
  getListing,
  listingMessages,
  relistListing,
  updateListing,
} from '#contract/listings.ts'
import type { Problem } from '#contract/problem.ts'
import { exportProfile } from '#contract/profile.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob] = await world.members('ann', 'bob')

type Fields = Partial<CallInput<typeof createListing>['body']>

const post = (fields: Fields = {}) =>
  ann.call(createListing, { body: { title: 'Radishes', type_id: types.giveaway, ...fields } })
const edit = (id: number, body: CallInput<typeof updateListing>['body']) =>
  ann.try(updateListing, { params: { id }, body })
const amountsOf = ({ quantity, quantity_left, unit }: Awaited<ReturnType<typeof post>>) => [
  quantity,
  quantity_left,
  unit,
]

test('a listing has a quantity and a unit, on its own page, in lists and in the export', async () => {
  const { id } = await post({ quantity: 12, unit: ' bunches ' })

  const read = await bob.call(getListing, { params: { id } })
  expect(amountsOf(read)).toEqual([12, 12, 'bunches'])
  const listed = (await bob.call(listListings, { query: { user_id: ann.id } })).find((one) => one.id === id)
  expect(listed && amountsOf(listed)).toEqual([12, 12, 'bunches'])
  const exported = await ann.send<{ listings: object[] }>('GET', `/api${exportProfile.path}`)
  expect(exported.body.listings).toContainEqual(
    expect.objectContaining({ id, quantity: 12, quantity_left: 12, unit: 'bunches' }),
  )
})

test('a listing without a quantity is given as a whole', async () => {
  expect(amountsOf(await post())).toEqual([null, null, null])
})

/** Posts as JSON or as a form. */
async function postAs(encoding: 'JSON' | 'form', fields: Readonly<Record<string, unknown>>) {
  const all = { title: 'Radishes', type_id: 3, ...fields }
  if (encoding === 'JSON')
    return ann.send<Problem & Fields>('POST', '/api/listings', {
      body: JSON.stringify(all),
      headers: { 'content-type': 'application/json' },
    })
  const body = new FormData()
  for (const [name, value] of Object.entries(all)) body.append(name, value === null ? '' : String(value))
  return ann.send<Problem & Fields>('POST', '/api/listings', { body })
}

describe.each(['JSON', 'form'] as const)('as %s', (encoding) => {
  test.each<[Readonly<Record<string, unknown>>, number | null, string | null]>([
    [{ quantity: 1 }, 1, null],
    [{ quantity: 9999, unit: 'x'.repeat(20) }, 9999, 'x'.repeat(20)],
    [{ quantity: 3, unit: '   ' }, 3, null],
    [{ quantity: null, unit: null }, null, null],
  ])('%j is stored', async (fields, quantity, unit) => {
    const { status, body } = await postAs(encoding, fields)
    expect([status, body.quantity, body.unit]).toEqual([201, quantity, unit])
  })

  test.each<[Readonly<Record<string, unknown>>, string, string]>([
    [{ quantity: 0 }, 'quantity', 'Please give a whole number from 1 to 9999'],
    [{ quantity: 10_000 }, 'quantity', 'Please give a whole number from 1 to 9999'],
    [{ quantity: -2 }, 'quantity', 'Please give a whole number from 1 to 9999'],
    [{ quantity: 1.5 }, 'quantity', 'Please give a whole number from 1 to 9999'],
    [{ quantity: 'many' }, 'quantity', 'Please give a whole number from 1 to 9999'],
    [{ quantity: 2, unit: 'x'.repeat(21) }, 'unit', 'A unit can have at most 20 characters'],
    [{ unit: 'lb' }, 'quantity', 'Please say how many there are, or leave the unit out'],
  ])('%j is refused', async (fields, field, message) => {
    const { status, body } = await postAs(encoding, fields)
    expect([status, body.errors]).toEqual([422, [{ field, message }]])
  })
})

describe('an edit', () => {
  test('changes the quantity and what is left of it', async () => {
    const { id } = await post({ quantity: 5, unit: 'lb' })

    expect(amountsOf((await edit(id, { quantity: 8 })).body)).toEqual([8, 8, 'lb'])
    expect(amountsOf((await edit(id, { unit: null })).body)).toEqual([8, 8, null])
  })

  test('without the quantity removes the unit', async () => {
    const { id } = await post({ quantity: 5, unit: 'lb' })

    expect(amountsOf((await edit(id, { quantity: null })).body)).toEqual([null, null, null])
  })

  test('that gives a unit without a quantity is refused', async () => {
    const { id } = await post()

    const { status, body } = await edit(id, { unit: 'lb' })
    expect([status, body.errors]).toEqual([422, [{ field: 'quantity', message: listingMessages.unitAlone }]])
  })

  test('that marks the listing as gone leaves nothing, and offering it again leaves all', async () => {
    const { id } = await post({ quantity: 5 })

    expect((await edit(id, { state_id: states.gone })).body.quantity_left).toBe(0)
    expect((await edit(id, { state_id: states.available })).body.quantity_left).toBe(5)
    await edit(id, { state_id: states.gone })
    expect((await ann.call(relistListing, { params: { id } })).quantity_left).toBe(5)
  })
})

test('a listing that is posted as gone has nothing left', async () => {
  expect((await post({ quantity: 5, state_id: states.gone })).quantity_left).toBe(0)
})
