import { categories, types } from '#contract/constants.ts'
import { createListing, deleteListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import { createWant } from '#contract/wants.ts'
import { areaOf } from '#server/features/locations/areas.ts'
import { postalCodeId } from '#server/features/locations/postal-codes.ts'
import { withDatabase } from './database.ts'
import { type Account, expect, expectAccessible, test, type World } from './fixtures.ts'
import { loginCookie } from './markup.ts'

const { produce, seeds } = categories

/** Far-apart places in Alaska, where no other test has members: one for each try. */
const postalCodes = ['99501', '99701', '99801']

async function settle({ actor }: Account) {
  const zip_code = postalCodes[test.info().retry] ?? ''
  await actor.call(updateProfile, { body: { city: 'Somewhere', state: 'AK', zip_code } })
}

async function neighbor(world: World, name: string) {
  const account = await world.account(name)
  await settle(account)
  return account
}

const want = ({ actor }: Account, title: string, category_id: 1 | 2) =>
  actor.call(createWant, { body: { title, category_id } })

test('a member sees what neighbors want, and posts what they have', async ({ world }) => {
  test.slow()
  const ann = await world.member('ann')
  const [bob, cat] = [await neighbor(world, 'bob'), await neighbor(world, 'cat')]
  await settle(ann)
  await want(bob, 'courgettes', produce)
  await want(cat, 'Zucchini', produce)
  await want(cat, 'garlic', seeds)
  await cat.actor.call(createListing, {
    body: { title: 'Garlic for planting', type_id: types.giveaway, category_id: seeds },
  })
  const { page } = ann
  await page.goto('/my-listings')
  await page.getByRole('link', { name: 'Wanted near you' }).click()
  await expect(page).toHaveURL('/wanted')
  const crops = page.getByRole('main').getByRole('listitem')
  await expect(crops).toHaveText([
    /^Zucchini\s*produce\s*2 gardeners want it\s*nobody has it\s*I have it: Zucchini$/,
    /^Garlic\s*seeds\s*1 gardener wants it\s*1 has it\s*I have it: Garlic$/,
  ])
  await expect(page.getByText('within 25 miles')).toBeVisible()
  await expectAccessible(page, 'the wants near a member')

  await page.getByRole('button', { name: 'plants' }).click()
  await expect(
    page.getByRole('main').getByText('Nobody near you wants anything of this category yet.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'seeds' }).click()
  await expect(page).toHaveURL('/wanted?category=seeds')
  await expect(crops).toHaveCount(1)
  await page.getByRole('link', { name: /^I have it ?: Garlic$/ }).click()
  await expect(page.getByLabel('Item name')).toHaveValue('Garlic')
  await expect(page.getByRole('radio', { name: 'seeds' })).toBeChecked()
  await page.getByLabel('Type').selectOption('giveaway')
  await page.getByRole('button', { name: 'post', exact: true }).click()
  await expect(page).toHaveURL('/my-listings')
  await expect(page.getByRole('main').getByRole('link', { name: 'Garlic', exact: true })).toBeVisible()
})

test('the most unmet crops come first and the others on demand, with the drawing of a crop or its category', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const neighbors = [await world.account('bob'), await world.account('cat'), await world.account('dan')]
  for (const { actor } of [ann, ...neighbors])
    await actor.call(updateProfile, {
      body: { zip_code: ['99752', '99762', '99723'][test.info().retry] ?? '' },
    })
  const [bob, cat, dan] = neighbors
  if (!bob || !cat || !dan) throw new Error('A neighbor is missing')
  for (const account of neighbors) await want(account, 'figs', produce)
  for (const account of [bob, cat]) await want(account, 'garlic', seeds)
  for (const title of ['kale', 'leeks', 'plums', 'quinces']) await want(bob, title, produce)
  for (const title of ['okra', 'sorrel', 'fennel', 'medlars']) await want(cat, title, produce)
  for (const title of ['carrots', 'radishes', 'pumpkins', 'spinach']) await want(dan, title, produce)
  const { page } = ann
  await page.goto('/wanted')
  const crops = page.getByRole('main').getByRole('listitem')
  await expect(crops).toHaveCount(12)
  await expect(crops.first()).toContainText('Fig')
  await expect(crops.first().locator('img')).toHaveAttribute('src', /\/produce[^/]*\.svg$/)
  await expect(crops.nth(1).locator('img')).toHaveAttribute('src', /\/garlic[^/]*\.svg$/)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(crops).toHaveCount(14)
  await page.getByRole('button', { name: 'Show fewer' }).press('Enter')
  await expect(crops).toHaveCount(12)
  await expect(page.getByRole('button', { name: 'Show all' })).toBeFocused()
})

test('the wants near a member are Spanish for a member who chose Spanish', async ({ world, baseURL }) => {
  const ann = await world.member('ann')
  const bob = await world.account('bob')
  for (const { actor } of [ann, bob])
    await actor.call(updateProfile, {
      body: { zip_code: ['99661', '99664', '99574'][test.info().retry] ?? '' },
    })
  await ann.actor.call(updateProfile, { body: { language: 'es' } })
  await want(bob, 'garlic', produce)
  const { page } = ann
  await page.context().addCookies([loginCookie(ann.actor, baseURL)])
  await page.goto('/wanted')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
    /^Ajo\s*cosecha\s*1 persona lo busca\s*nadie lo tiene/,
  ])
  await expect(page.getByText('No se nombra a nadie.')).toBeVisible()
  await expectAccessible(page, 'the Spanish wants near a member')
})

test('a chart shows what to grow: wanted, met and unmet by week, in the area of the member', async ({
  world,
}) => {
  const ann = await world.member('ann')
  await ann.actor.call(updateProfile, { body: { zip_code: '99929' } })
  const area = areaOf(postalCodeId('99929'))?.id
  await withDatabase((client) =>
    client.query(
      `insert into crop_weeks (area, week, crop, category_id, wanted, offered)
       select $1, date_trunc('week', now())::date - 7 * ago, 'garlic', $2, wanted, offered
       from (values (0, 7, 2), (1, 4, 1), (20, 5, 6)) counted (ago, wanted, offered) on conflict do nothing`,
      [area, seeds],
    ),
  )
  const { page } = ann
  await page.goto('/wanted')
  const seasons = page.getByRole('region', { name: 'What to grow' })
  await expect(seasons.getByText('Approximate')).toBeVisible()
  await expect(seasons.getByRole('listitem')).toHaveText(/^Garlic seeds7 wanted, 2 met, 5 unmet/)
  const bars = await seasons
    .locator('rect')
    .evaluateAll((rects) => rects.map((rect) => Number(Number(rect.getAttribute('height')).toFixed(1))))
  expect(bars).toEqual([0, 11.4, 6.9, 2.3, 11.4, 4.6])
  await expectAccessible(page, 'the chart of what to grow')
  await page.goto('/wanted?category=plants')
  await expect(
    page.getByRole('main').getByText('Nobody near you wants anything of this category yet.'),
  ).toBeVisible()
  await expect(seasons).toBeHidden()
})

test('a draft of another listing stays when a wanted crop opens the form, and gives way when it is discarded', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  await page.goto('/listings/new')
  await page.getByLabel('Item name').fill('My best plums')
  await page.goto('/listings/new?q=Garlic&category=seeds')
  await expect(page.getByLabel('Item name')).toHaveValue('My best plums')
  await page.getByRole('button', { name: 'discard' }).click()
  await expect(page.getByLabel('Item name')).toHaveValue('Garlic')
  await expect(page.getByRole('radio', { name: 'seeds' })).toBeChecked()
})

test('a member without a known place is told so, and adds it', async ({ world }) => {
  const ann = await world.member('ann')
  const { page } = ann
  ann.allowErrors(/422.*\/wants\/nearby/)
  await page.goto('/listings')
  await page.getByRole('link', { name: 'Wanted near you' }).click()
  await expect(page.getByRole('main').getByText('We do not know where you are.')).toBeVisible()
  await expectAccessible(page, 'the wants near an unknown place')
  await page.getByRole('link', { name: 'Add your postcode' }).click()
  await page.getByLabel('City').fill('Ketchikan')
  await page.getByLabel('State').fill('AK')
  await page.getByLabel('Postcode').fill('99901')
  await page.getByRole('button', { name: 'Next >' }).click()
  await expect(page).toHaveURL('/wanted')
  await expect(page.getByRole('main').getByText('Nobody near you has a wish list yet.')).toBeVisible()
})

test('the marketplace shows what fits the wish list above the cards, until nothing does', async ({
  world,
}) => {
  const [ann, bob] = [await world.member('ann'), await neighbor(world, 'bob')]
  await settle(ann)
  await want(ann, 'skirret', produce)
  const { page } = ann
  const strip = page.getByRole('main').getByRole('link', { name: /fits? your wish list/ })
  await page.goto('/listings?tab=friends')
  await expect(page.getByRole('main').getByText('No listings from friends yet.')).toBeVisible()
  await expect(strip).toHaveCount(0)

  const post = (title: string) =>
    bob.actor.call(createListing, { body: { title, type_id: types.giveaway, category_id: produce } })
  const [{ id }] = [await post('Skirret roots'), await post('Skirret crowns')]
  await expect(strip).toHaveText('2 fit your wish list')
  await expect(strip.locator('img')).toHaveCount(2)
  await expectAccessible(page, 'the marketplace with the strip')
  await bob.actor.call(deleteListing, { params: { id } })
  await page.reload()
  await expect(strip).toHaveText('1 fits your wish list')
  await page.goto('/listings?tab=friends&q=skirret')
  await expect(strip).toHaveCount(0)
  await page.goto('/listings?tab=friends')
  await strip.click()
  await expect(page).toHaveURL('/matches')
  await expect(page.getByRole('heading', { name: 'Skirret crowns' })).toBeVisible()
})
