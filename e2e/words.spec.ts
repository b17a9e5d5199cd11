import { categories, types } from '#contract/constants.ts'
import { requestFriend } from '#contract/friends.ts'
import { createListing } from '#contract/listings.ts'
import { expect, test } from './fixtures.ts'
import { memberScreens, type Screen, type ScreenContext, visibleText, visitorScreens } from './words.ts'

test.describe('the texts of the specification are shown word for word', () => {
  // Opens about seventy screens.
  test.slow()

  test('on the screens of visitors', async ({ world }) => {
    const visitor = await world.visitor()
    visitor.allowErrors('Failed to load resource')
    const nobody = { me: '', neighbor: { id: 0, username: '' }, mine: 0, theirs: 0 }
    await checkScreens(visitorScreens, { page: visitor.page, ...nobody })
  })

  test('on the screens of members', async ({ world }) => {
    const [ann, bob] = [await world.member('ann'), await world.account('bob')]
    ann.allowErrors('Failed to load resource')
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
    await checkScreens(memberScreens, { page: ann.page, me: ann.username, neighbor, mine, theirs })
  })
})

async function checkScreens(screens: readonly Screen[], context: ScreenContext) {
  let place = ''
  for (const { at, when, words } of screens) {
    if (at !== undefined) {
      place = resolveWords(at, context)
      await context.page.goto(place)
    }
    await test.step(when === undefined ? place : `${place}, when ${when[0]}`, async () => {
      await when?.[1](context)
      for (const each of words) {
        const text = resolveWords(each, context)
        await expect.soft(visibleText(context.page, text), text).toBeVisible()
      }
    })
  }
}

function resolveWords(words: Screen['words'][number], context: ScreenContext): string {
  return typeof words === 'string' ? words : words(context)
}
