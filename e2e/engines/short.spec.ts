import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { test } from './fixtures.ts'

test('a member finds a listing, writes to its owner and sees the answer arrive', async ({
  tab,
  account,
  logIn,
}) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  const title = `Quinces of ${bob.username}`
  await bob.actor.call(createListing, { body: { title, type_id: types.giveaway } })
  await logIn(ann, '/listings')
  await tab.click('link', new RegExp(title))
  await tab.at(/^\/listings\/\d+/)
  await tab.fill(/^Message /, 'Are they ripe?')
  await tab.click('button', 'Send')
  await tab.see('Are they ripe?', { within: '[role=log]' })

  await bob.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: 'Since Monday' } })
  await tab.see('Since Monday', { within: '[role=log]' })
})
