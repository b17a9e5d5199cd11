import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { categories, limits, states } from '#contract/constants.ts'
import { setVisibility, updateListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { listCropSeasons } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { newMatchingWorld } from '#test/matching-world.ts'
import { countCropWeekJob } from './jobs.ts'

const { world, newMembers, list, addWant } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Postal codes of far-apart counties. */
const counties = ['97214', '60614', '80205', '30307', '55404']

const move = (member: Actor, zip_code: string) => member.call(updateProfile, { body: { zip_code } })

async function newNeighbors() {
  const zip_code = counties.pop() ?? ''
  const members = await newMembers(4)
  for (const member of members) await move(member, zip_code)
  return members
}

/** Returns the seasons of a member's area as short texts: wanted and met of each week. */
async function seasonsOf(member: Actor, query: { category_id?: 1 | 2 | 3 } = {}) {
  const seasons = await member.call(listCropSeasons, { query })
  return seasons.map(
    ({ name, category_id, weeks }) =>
      `${name} ${category_id}: ${weeks.map(({ wanted, met }) => `${wanted}/${met}`).join(' ')}`,
  )
}

const count = () => world.runJob(countCropWeekJob)

/** Makes what was counted older. */
async function pass(weeks: number) {
  await world.db
    .updateTable('crop_weeks')
    .set({ week: sql<string>`week - ${sql.lit(7 * weeks)}` })
    .execute()
}

test('counts who wants and who could get each crop, week by week', async () => {
  const [ann, bob, cat, dan] = await newNeighbors()
  for (const member of [bob, cat]) await addWant(member, 'zucchini', categories.produce)
  for (const member of [bob, cat]) await addWant(member, 'garlic', categories.seeds)
  await list(dan, 'Garlic for planting', { category_id: categories.seeds })
  await list(dan, 'Garlic bulbs', { category_id: categories.seeds })
  expect(await seasonsOf(ann)).toEqual([])
  await count()
  expect(await seasonsOf(ann)).toEqual(['zucchini 1: 2/0', 'garlic 2: 2/1'])
  expect(await seasonsOf(ann, { category_id: categories.seeds })).toEqual(['garlic 2: 2/1'])

  await pass(1)
  await addWant(ann, 'courgettes', categories.produce)
  const { id } = await list(dan, 'Zucchini', { category_id: categories.produce })
  await count()
  await count()
  expect(await seasonsOf(ann)).toEqual(['zucchini 1: 2/0 3/1', 'garlic 2: 2/1 2/1'])
  await dan.call(setVisibility, { params: { id }, body: { is_public: false } })
  await count()
  expect(await seasonsOf(ann)).toEqual(['zucchini 1: 2/0 3/0', 'garlic 2: 2/1 2/1'])
  await dan.call(updateListing, { params: { id }, body: { is_public: true, state_id: states.gone } })
  await count()
  expect(await seasonsOf(ann)).toEqual(['zucchini 1: 2/0 3/0', 'garlic 2: 2/1 2/1'])
})

test('counts nothing that one member alone wants, words without a concept, and suspended members', async () => {
  const [ann, bob, cat, dan] = await newNeighbors()
  for (const member of [bob, cat]) await addWant(member, 'wobbly sextants')
  for (const title of ['quinces', 'quince', 'Quinces, please']) await addWant(bob, title)
  for (const member of [cat, dan]) await addWant(member, 'medlars')
  await count()
  expect(await seasonsOf(ann)).toEqual(['medlar null: 2/0'])
  await addWant(cat, 'quinces')
  await world.suspend(dan)
  await count()
  expect(await seasonsOf(ann)).toEqual(['quince null: 2/0'])
})

test('shows the areas within reach, to members with a known place', async () => {
  const [ann, bob, cat, dan] = await newNeighbors()
  for (const member of [bob, cat]) await addWant(member, 'figs')
  await count()
  await move(dan, '99501')
  expect([await seasonsOf(ann), await seasonsOf(dan)]).toEqual([['fig null: 2/0'], []])
  await move(ann, '00000')
  expect((await ann.try(listCropSeasons, { query: {} })).body).toMatchObject({ code: 'location_unknown' })
})

test('keeps a year of weeks', async () => {
  const [ann, bob, cat] = await newNeighbors()
  for (const member of [bob, cat]) await addWant(member, 'leeks')
  await count()
  await pass(limits.cropSeason.weeks - 1)
  expect(await seasonsOf(ann)).toEqual(['leek null: 2/0'])
  await count()
  expect(await seasonsOf(ann)).toEqual(['leek null: 2/0 2/0'])
  await pass(1)
  await count()
  expect(await seasonsOf(ann)).toEqual(['leek null: 2/0 2/0'])
  const oldest = await world.db
    .selectFrom('crop_weeks')
    .select(({ fn }) => fn.min('week').as('week'))
    .executeTakeFirst()
  expect(new Date(oldest?.week ?? 0).getTime()).toBeGreaterThan(Date.now() - 53 * 7 * 86_400_000)
})
