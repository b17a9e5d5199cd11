import type { Locator, Page } from '@playwright/test'
import { uploadProfileImage } from '#contract/auth.ts'
import { categories, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { updateProfile } from '#contract/profile.ts'
import {
  type Account,
  desktop,
  expect,
  expectAccessible,
  navigate,
  phone,
  test,
  type World,
} from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { loginCookie } from './markup.ts'

const cards = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('heading')
const distance = (page: Page) => page.getByRole('combobox', { name: 'Distance from Portland' })
const nearest = (page: Page) => page.getByRole('checkbox', { name: 'nearest first' })

const livesIn = ({ actor }: Account, postcode: string) =>
  actor.call(uploadProfileImage, { body: { city: 'Portland', state: 'OR', postcode } })

/** Creates a member of Portland at a browser, and listings of members in Salem, Portland and of an unknown place, in this order. */
async function neighborhood(world: World) {
  // A unique word keeps out the listings of other tests.
  const word = world.uniqueName('sorrel').replace('_', '')
  const owners: Account[] = []
  for (const [name, postcode] of [
    ['salem', '97301'],
    ['portland', '97215'],
    ['nowhere', '99999'],
  ] as const) {
    const owner = await world.account(name)
    await livesIn(owner, postcode)
    await owner.actor.call(createListing, {
      body: { title: `${word} ${name}`, type_id: types.giveaway, category_id: categories.plants },
    })
    owners.push(owner)
  }
  const me = await world.member('me')
  await livesIn(me, '97214')
  return { ...me, word, owners }
}

async function expectOneLine(...controls: readonly Locator[]) {
  const boxes = await Promise.all(controls.map((control) => control.boundingBox()))
  const middles = boxes.map((box) => (box ? box.y + box.height / 2 : Number.NaN))
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3)
}

for (const viewport of [phone, desktop])
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport })

    test('the marketplace says where it looks, and one tap changes the distance or the order', async ({
      world,
    }) => {
      const { page, word } = await neighborhood(world)
      await page.goto(`/listings?q=${word}&sort=newest`)
      await expect(distance(page).locator(':checked')).toHaveText('everywhere')
      await expect(page.getByRole('main').getByText('Portland', { exact: true })).toBeVisible()
      await expect(cards(page)).toHaveText([`${word} nowhere`, `${word} portland`, `${word} salem`])

      await distance(page).selectOption('within 5 miles')
      await expect(page).toHaveURL(`/listings?q=${word}&sort=newest&near=5`)
      await expect(cards(page)).toHaveText([`${word} portland`])
      await distance(page).selectOption('within 100 miles')
      await expect(cards(page)).toHaveText([`${word} portland`, `${word} salem`])
      await expectAccessible(page)
      await expectNoLayoutFaults(page, '/listings')

      await nearest(page).check()
      await expect(page).toHaveURL(`/listings?q=${word}&sort=nearest&near=100`)
      await distance(page).selectOption('everywhere')
      await expect(page).toHaveURL(`/listings?q=${word}&sort=nearest`)
      await expect(cards(page)).toHaveText([`${word} portland`, `${word} salem`])
      await nearest(page).uncheck()
      await expect(page).toHaveURL(`/listings?q=${word}`)
      await expect(cards(page)).toHaveCount(3)
      if (viewport !== phone) return
      await expectOneLine(nearest(page), page.getByRole('button', { name: 'map', exact: true }))
      await setTextSize(page, '200%')
      await expectNoLayoutFaults(page, '/listings at 200 %')
    })

    test('the distance and the order can be chosen with the keyboard', async ({ world }) => {
      const { page, word } = await neighborhood(world)
      await page.goto(`/listings?q=${word}`)
      await distance(page).focus()
      await page.keyboard.press('ArrowDown')
      await expect(page).toHaveURL(`/listings?q=${word}&near=5`)
      await expect(distance(page)).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(nearest(page)).toBeFocused()
      await page.keyboard.press('Space')
      await expect(page).toHaveURL(`/listings?q=${word}&sort=nearest&near=5`)
      await expect(nearest(page)).toBeFocused()
    })
  })

test('cards show how near a listing is in the marketplace, the search and on the page of its owner', async ({
  world,
}) => {
  const { page, word, owners } = await neighborhood(world)
  const bands = page.getByRole('main').getByText(/^under \d+ miles$/)
  await page.goto(`/listings?q=${word}&sort=newest`)
  await expect(bands).toHaveText(['under 5 miles', 'under 50 miles'])
  await navigate(page, `/have-want-search?q=${word}`)
  await expect(bands).toHaveText(['under 5 miles', 'under 50 miles'])
  await navigate(page, `/seller/${owners[0]?.actor.id}`)
  await expect(bands).toHaveText(['under 50 miles'])
})

test('a member with an unknown postal code reads which one, and finds it in the form', async ({ world }) => {
  const { page, word, actor } = await neighborhood(world)
  await actor.call(updateProfile, { body: { city: 'San Francisco', state: 'CA', zip_code: '00101' } })
  await page.goto(`/listings?q=${word}&sort=newest`)
  const main = page.getByRole('main')
  await expect(main.getByText('We do not know the postal code 00101.')).toBeVisible()
  await expect(distance(page)).toHaveCount(0)
  await expectAccessible(page)
  await main.getByRole('link', { name: 'Change it' }).click()
  await expect(page.getByLabel('City')).toHaveValue('San Francisco')
  await expect(page.getByLabel('Postcode')).toHaveValue('00101')
  await page.getByLabel('City').fill('Portland')
  await page.getByLabel('Postcode').fill('97214')
  await page.getByRole('button', { name: 'Next >' }).click()
  await expect(page).toHaveURL(`/listings?q=${word}&sort=newest`)
  await expect(distance(page)).toHaveValue('')
  await expect(main.getByText(/^under \d+ miles$/)).toHaveText(['under 5 miles', 'under 50 miles'])
})

test('the notification settings say how far away matches are told, and what an unknown place means', async ({
  world,
}) => {
  const me = await world.member('me')
  const { page } = me
  await page.goto('/notifications/settings')
  const mail = page.getByRole('region', { name: 'mail' })
  const radius = mail.getByLabel('How far away')
  await expect(radius.locator(':checked')).toHaveText('within 25 miles')
  await expect(mail.getByText('Until we know your place, you hear of matches anywhere.')).toBeVisible()
  await expect(mail.getByRole('link', { name: 'Add your postcode' })).toBeVisible()
  await livesIn(me, '97214')
  await page.reload()
  await expect(mail.getByText('Also of listings whose place we do not know.')).toBeVisible()
  await radius.selectOption('anywhere')
  await mail.getByRole('button', { name: 'save mail preferences' }).click()
  await expect(page.getByText('Mail preferences saved')).toBeVisible()
  await page.reload()
  await expect(radius.locator(':checked')).toHaveText('anywhere')
})

test('the line of the place is Spanish for a member who chose Spanish', async ({ world, baseURL }) => {
  const { page, word, actor } = await neighborhood(world)
  await actor.call(updateProfile, { body: { language: 'es' } })
  await page.context().addCookies([loginCookie(actor, baseURL)])
  await page.goto(`/listings?q=${word}&near=5`)
  await expect(page.getByRole('combobox', { name: 'Distancia desde Portland' })).toHaveValue('5')
  await expect(page.getByRole('checkbox', { name: 'lo más cercano primero' })).not.toBeChecked()
  await expect(page.getByRole('main').getByText('a menos de 5 millas')).toBeVisible()
})

/** Posts listings with a word by members of Portland, of Oregon City and of Salem: enough for two counties, too few for a third. */
async function counties(world: World) {
  const word = world.uniqueName('lovage').replace('_', '')
  for (const [name, postcode, count] of [
    ['portland', '97215', 4],
    ['oregon_city', '97045', 3],
    ['salem', '97301', 1],
  ] as const) {
    const owner = await world.account(name)
    await livesIn(owner, postcode)
    for (let number = 1; number <= count; number += 1)
      await owner.actor.call(createListing, {
        body: { title: `${word} ${name} ${number}`, type_id: types.giveaway },
      })
  }
  const me = await world.member('me')
  await livesIn(me, '97214')
  return { ...me, word }
}

test.describe('in Spanish', () => {
  test.use({ viewport: desktop })

  test('the map of the marketplace has the same areas', async ({ world, baseURL }) => {
    const { page, word, actor } = await counties(world)
    await actor.call(updateProfile, { body: { language: 'es' } })
    await page.context().addCookies([loginCookie(actor, baseURL)])
    await page.goto(`/listings?q=${word}`)
    const areas = page.getByRole('complementary', { name: 'Anuncios por zona' })
    await expect(areas.getByRole('listitem')).toHaveText([
      /^Multnomah County4 anuncios · a menos de 5 millas$/,
      /^Clackamas County3 anuncios · a menos de 25 millas$/,
      /^otros lugares1 anuncio · a menos de 50 millas$/,
    ])
    await expect(areas.locator('svg a')).toHaveCount(2)
    await expectAccessible(page, 'the Spanish marketplace with a map')
    await expectNoLayoutFaults(page, 'the Spanish marketplace with a map')
  })
})

for (const viewport of [phone, desktop])
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport })

    test('a map and a list of areas limit the marketplace to one area', async ({ world }) => {
      const { page, word } = await counties(world)
      await page.goto(`/listings?q=${word}`)
      const areas = page.getByRole('complementary', { name: 'Listings by area' })
      const list = areas.getByRole('listitem')
      if (viewport === phone) {
        await expect(cards(page)).toHaveCount(8)
        await expect(list).toHaveCount(0)
        await page.getByRole('button', { name: 'map' }).click()
      }
      await expect(list).toHaveText([
        /^Multnomah County4 listings · under 5 miles$/,
        /^Clackamas County3 listings · under 25 miles$/,
        /^other places1 listing · under 50 miles$/,
      ])
      await expect(areas.locator('svg a')).toHaveCount(2)
      await expect(areas.locator('svg text')).toHaveCount(2)
      await expectAccessible(page)
      await expectNoLayoutFaults(page, '/listings with a map')

      const found = page.getByRole('heading', { level: 2 }).filter({ hasText: word })
      await areas.getByRole('link', { name: /^Clackamas County/ }).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/area=41005/)
      await expect(found).toHaveCount(3)
      await expect(areas.getByRole('link', { name: /^Clackamas County/ })).toHaveAttribute(
        'aria-current',
        'page',
      )
      // The number stands within its county.
      await areas.locator('svg text').filter({ hasText: '4' }).click({ force: true })
      await expect(page).toHaveURL(/area=41051/)
      await expect(found).toHaveCount(4)
      await page.getByRole('button', { name: 'all areas' }).click()
      await expect(page).toHaveURL(`/listings?q=${word}`)
      await expect(found).toHaveCount(8)
    })
  })
