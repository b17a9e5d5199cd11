import { afterAll, expect, test } from 'vitest'
import { categories, limits } from '#contract/constants.ts'
import { guessCategory } from '#contract/listings.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: true })
afterAll(() => world[Symbol.asyncDispose]())

test('guesses the category of a title, for a limited number of titles at a time', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const guess = (title: string) => ann.call(guessCategory, { query: { title } })
  expect(await guess('Tomato seeds')).toEqual({ category_id: categories.seeds, is_known: true })
  expect(await guess('Compost')).toEqual({ category_id: null, is_known: true })
  expect(await guess('Something wonderful')).toEqual({ category_id: null, is_known: false })
  expect(await guess('x'.repeat(limits.title.max))).toMatchObject({ is_known: false })
  const tooLong = await ann.try(guessCategory, { query: { title: 'x'.repeat(limits.title.max + 1) } })
  expect(tooLong.status).toBe(422)

  const answers = await Promise.all(
    Array.from({ length: 200 }, () => bob.try(guessCategory, { query: { title: 'Kale' } })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
})
