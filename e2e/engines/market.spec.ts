import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { list, want } from '../trading.ts'
import { expect, test } from './fixtures.ts'

const publicly = { is_public: true }

test('the market shows tabs, a category and the results of a search', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  const word = `kohlrabi${bob.username.slice(4)}`
  await list(bob, `Fine ${word}`, publicly)
  await logIn(ann, '/listings')
  await tab.see(word)
  await tab.click('link', /^friend/i, { within: 'main' })
  await tab.at(/tab=friends/)
  await tab.see(/No listings from friends yet/)
  await tab.click('link', /^public/i, { within: 'main' })
  await tab.see(word)
  await tab.fill(/search listings/i, word)
  await tab.press('Enter')
  await tab.at(/q=/)
  await tab.until('the listing is found', () => tab.has('link', new RegExp(word)))
})

test('the filter closes by Escape, a press outside and Back, and filters', async ({
  tab,
  account,
  logIn,
}) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  await list(bob, `Plums of ${bob.username}`, publicly)
  await bob.actor.call(createListing, {
    body: { title: `Sold by ${bob.username}`, type_id: types.sell, price: 4 },
  })
  await logIn(ann, '/listings')
  for (const close of [
    () => tab.press('Escape'),
    () => tab.driver.clickAt(195, 6),
    () => tab.driver.back(),
  ]) {
    await tab.openDialog('button', /^filter/i)
    await close()
    await tab.dialogClosed()
    expect(await tab.focused()).toMatch(/filter/i)
    await tab.at(/^\/listings$/)
  }
  await tab.openDialog('button', /^filter/i)
  await tab.click('button', /^giveaway/i)
  await tab.click('button', /^(save|show|apply)/i, { last: true })
  await tab.dialogClosed()
  await tab.see(`Plums of ${bob.username}`)
  await tab.gone(`Sold by ${bob.username}`)
})

test('the link of a listing is copied', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  const id = await list(bob, 'Gooseberries', publicly)
  await logIn(ann, `/listings/${id}`)
  await tab.openDialog('button', /^share/i)
  await tab.click('button', /^copy/i)
  await tab.see('Link copied')
  await tab.dialogClosed()
  expect(await tab.focused()).toMatch(/share/i)
})

test('a wish list is written, and a fitting listing is a match', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  await logIn(ann, '/post-want')
  await tab.click('button', /^save/i)
  await tab.see('Please add at least one item')
  await want(ann, 'Medlars')
  await list(bob, `Medlars of ${bob.username}`, publicly)
  await tab.until('the match is shown', async () => {
    await tab.goto('/matches')
    return tab.has('text', `Medlars of ${bob.username}`)
  })
  await tab.goto('/notifications')
  await tab.see('Medlars')
  await tab.goto('/notifications/settings')
  await tab.see(/Tell me on this device/)
})

test('Back returns to the place in a long list', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  for (let row = 0; row < 24; row += 1) await list(bob, `Row ${row} of ${bob.username}`, publicly)
  await logIn(ann, '/listings')
  await tab.see(`Row 20 of ${bob.username}`)
  await tab.evaluate(() => window.scrollTo(0, 1200))
  await tab.until('the page has scrolled', () => tab.evaluate(() => scrollY > 1100))
  await tab.evaluate(() => {
    addEventListener('click', () => sessionStorage.setItem('top', String(scrollY)), { capture: true })
  })
  // WebKit leaves out pages that a script has opened when it goes back.
  await tab.click('link', new RegExp(`Row 10 of ${bob.username}`))
  await tab.at(/^\/listings\/\d+/)
  await tab.driver.back()
  await tab.at(/^\/listings$/)
  await tab.until('the list is where it was', () =>
    tab.evaluate(() => Math.abs(scrollY - Number(sessionStorage.getItem('top'))) < 60),
  )
})
