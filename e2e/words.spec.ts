import { categories, types } from '#contract/constants.ts'
import { requestFriend } from '#contract/friends.ts'
import { createListing } from '#contract/listings.ts'
import { expect, once, test } from './fixtures.ts'
import { memberScreens, type Screen, type ScreenContext, sight, visitorScreens } from './words.ts'

test.describe('what the specification says word by word stands', once, () => {
  // Some seventy screens in one go.
  test.slow()

  test('on the screens of visitors', async ({ garden }) => {
    const visitor = await garden.visitor()
    visitor.expectTrouble('Failed to load resource')
    const nobody = { me: '', neighbor: { id: 0, username: '' }, mine: 0, theirs: 0 }
    await walk(visitorScreens, { page: visitor.page, ...nobody })
  })

  test('on the screens of members', async ({ garden }) => {
    const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
    ann.expectTrouble('Failed to load resource')
    const { id: mine } = await ann.actor.call(createListing, {
      body: { title: 'Sungold tomatoes', price: 3, category_id: categories.produce },
    })
    await ann.actor.call(createListing, {
      body: { title: 'Blue poppies', type_id: types.exchange, category_id: categories.seeds },
    })
    const { id: theirs } = await bob.actor.call(createListing, {
      body: { title: 'Rhubarb crowns', type_id: types.giveaway, category_id: categories.plants },
    })
    await bob.actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
    const neighbor = { id: bob.actor.id, username: bob.username }
    await walk(memberScreens, { page: ann.page, me: ann.username, neighbor, mine, theirs })
  })
})

async function walk(screens: readonly Screen[], context: ScreenContext) {
  let place = ''
  for (const { at, when, words } of screens) {
    if (at !== undefined) {
      place = told(at, context)
      await context.page.goto(place)
    }
    await test.step(when === undefined ? place : `${place}, when ${when[0]}`, async () => {
      await when?.[1](context)
      for (const each of words) {
        const text = told(each, context)
        await expect.soft(sight(context.page, text), text).toBeVisible()
      }
    })
  }
}

function told(words: Screen['words'][number], context: ScreenContext): string {
  return typeof words === 'string' ? words : words(context)
}
