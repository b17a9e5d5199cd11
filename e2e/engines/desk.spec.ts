import { report } from '#contract/reports.ts'
import { makeModerator } from '../sample-data.ts'
import { list } from '../trading.ts'
import { test } from './fixtures.ts'

test('a moderator takes a report and closes it, and the audit log has both', async ({
  tab,
  account,
  logIn,
}) => {
  const [ann, bob, maud] = [await account('ann'), await account('bob'), await account('maud')]
  await makeModerator(maud)
  const title = `Plastic of ${bob.username}`
  const listing_id = await list(bob, title, { is_public: true })
  await ann.actor.call(report, { body: { listing_id, reason: `No plant: ${title}` } })
  await logIn(maud, '/profile')
  await tab.click('link', 'Desk')
  await tab.at(/^\/desk/)
  await tab.see(`No plant: ${title}`)
  await tab.click('button', 'take')
  await tab.see(`taken by ${maud.username}`)
  await tab.openDialog('button', 'decide')
  await tab.click('button', 'save')
  await tab.see('Please say why')
  await tab.fill('Reason', 'It is a pot')
  await tab.click('button', 'save')
  await tab.dialogClosed()
  await tab.gone(`No plant: ${title}`)
  await tab.click('link', 'Audit log')
  await tab.at(/^\/desk\/audit-log/)
  await tab.see('It is a pot')
})
