import { afterAll, describe, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')

describe('refuses invalid query parameters', () => {
  test.each([
    ['type_id=4', 'type_id', 'Please choose sell, exchange or giveaway'],
    ['type_id=1&type_id=nine', 'type_id', 'Please choose sell, exchange or giveaway'],
    ['min_price=-1', 'min_price', 'Please give the price as a number'],
    ['min_price=cheap', 'min_price', 'Please give the price as a number'],
    ['max_price=1e9', 'max_price', 'Price must be at most 99999.99'],
    ['near=0', 'near', 'Please give a distance from 1 to 500'],
    ['near=501', 'near', 'Please give a distance from 1 to 500'],
    ['near=far', 'near', 'Please give a distance from 1 to 500'],
    ['q=a', 'q', 'Please type at least 2 characters'],
    [`q=${'a'.repeat(101)}`, 'q', 'Please type at most 100 characters'],
    ['sort=cheapest', 'sort', 'Please choose newest, oldest, highest, lowest, nearest or best'],
    ['mine=true&public=true', '', 'Please ask for one of mine, friends, public and user_id'],
  ])('%s', async (query, field, message) => {
    const reply = await ann.send('GET', `/api/listings?${query}`)
    expect(reply.status).toBe(422)
    expect(reply.body.errors?.[0]).toMatchObject({ message: expect.stringContaining(message) })
    if (field !== '') expect(reply.body.errors?.[0]?.field).toContain(field)
  })

  test.each([
    'q=a&q=b',
    'near=5&near=6',
    'sort=newest&sort=oldest',
    'q=%00%00',
    'type_id=',
    'type_id=1&type_id=1&type_id=1&type_id=1',
  ])('%s', async (query) => {
    expect((await ann.send('GET', `/api/listings?${query}`)).status).toBe(422)
  })
})
