import { requestFriend } from '#contract/friends.ts'
import { countUnreadMessages, sendMessage } from '#contract/messages.ts'
import { expect, test } from './fixtures.ts'
import { rotatedPhotoFile } from './photo-file.ts'

test('a guest registers, fills in a place and posts a listing with a photo', async ({ tab }, info) => {
  await tab.goto('/')
  await tab.click('link', /sign up/i)
  await tab.at(/^\/register/)
  await tab.hydrated()
  await tab.click('button', /^register$/i, { last: true })
  await tab.see('First name is required')
  const name = `nell_${crypto.randomUUID().slice(0, 8)}`
  await tab.fill(/^first name/i, 'Nell')
  await tab.fill(/^last name/i, 'Green')
  await tab.fill(/^username/i, name)
  await tab.fill(/^email/i, `${name}@example.com`)
  await tab.fill(/^password/i, 'a-long-passphrase-9')
  await tab.fill(/^confirm/i, 'a-long-passphrase-9')
  await tab.click('button', /^register$/i, { last: true })
  await tab.at(/^\/personal-info/)
  await tab.see(`Hello ${name}`)
  await tab.fill(/city/i, 'Salem')
  await tab.fill(/state/i, 'OR')
  await tab.fill(/postcode/i, '97301')
  await tab.click('button', /^Next/)
  await tab.at(/^\/listings\/new/)
  // The screen before has a file input too.
  await tab.until('the form is shown', () => tab.has('field', /^item name/i))
  await tab.chooseFiles('input[type=file]', [await rotatedPhotoFile(info.outputPath('sideways.jpg'))])
  await tab.fill(/^item name/i, 'Quinces from Nell')
  await tab.fill(/^price/i, '4')
  await tab.until(
    'the photo is sent',
    async () => !(await tab.has('selector', 'main progress, main [role=progressbar]')),
  )
  await tab.until('the photo is shown', () =>
    tab.evaluate(() =>
      [...document.querySelectorAll('main li img')].some(
        (image) => (image as HTMLImageElement).naturalWidth > 0,
      ),
    ),
  )
  await tab.click('button', /^post/i, { last: true })
  await tab.at(/^\/my-listings/)
  await tab.see('Quinces from Nell')
})

test('a member logs in, and logs out again', async ({ tab, account }) => {
  const ann = await account('ann')
  await tab.goto('/login')
  await tab.fill(/^email/i, ann.email)
  await tab.fill(/^password/i, ann.password)
  await tab.click('button', /^login$/i)
  await tab.at(/^\/my-listings/)
  await tab.goto('/profile')
  await tab.click('button', /^log out/i)
  await tab.at(/^\/login/)
  expect(await tab.evaluate(() => localStorage.getItem('auth'))).toBeNull()
})

test('a member edits the profile with a photo, and Escape leaves the dialog that deletes it', async ({
  tab,
  account,
  logIn,
}, info) => {
  await logIn(await account('ann'), '/profile/edit')
  await tab.fill(/^city/i, 'Eugene')
  await tab.chooseFiles('input[type=file]', [await rotatedPhotoFile(info.outputPath('me.jpg'))])
  await tab.until('the photo is shown', () => tab.has('selector', 'main img[src^="blob:"]'))
  await tab.click('button', /^save/i)
  await tab.at(/^\/profile$/)
  await tab.see('Eugene')
  await tab.openDialog('button', /delete my profile/i)
  await tab.press('Escape')
  await tab.dialogClosed()
  expect(await tab.focused()).toMatch(/delete my profile/i)
})

test('a request of friends is sent and answered', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  await logIn(ann, `/seller/${bob.actor.id}`)
  await tab.openDialog('button', /add.*friend/i)
  await tab.see('Your connection request was sent!')
  await tab.click('button', /^ok!/i)
  await tab.dialogClosed()
  await tab.see(/cancel friend request/i)
  const cas = await account('cas')
  await cas.actor.call(requestFriend, { body: { friend_id: ann.actor.id } })
  await tab.goto('/myfriends')
  await tab.click('link', /pending invitation/i)
  await tab.click('button', /^accept/i)
  await tab.see('No pending invitations.')
})

test('the QR code of the profile is drawn, and the link dialog returns the focus', async ({
  tab,
  account,
  logIn,
}) => {
  await logIn(await account('ann'), '/myfriends')
  await tab.openDialog('button', /Use QR Code/)
  await tab.until('the code is drawn', () =>
    tab.evaluate(() => (document.querySelector('dialog img') as HTMLImageElement | null)?.naturalWidth),
  )
  await tab.press('Escape')
  await tab.dialogClosed()
  await tab.openDialog('button', /Share your profile with a link/)
  await tab.click('button', /^cancel/i)
  await tab.dialogClosed()
  expect(await tab.focused()).toMatch(/Share your profile with a link/)
})

test('a message from elsewhere appears at the navigation, and is read', async ({ tab, account, logIn }) => {
  const [ann, bob] = [await account('ann'), await account('bob')]
  await logIn(ann, '/listings')
  await bob.actor.call(sendMessage, { body: { receiver_id: ann.actor.id, content: 'Unread hello' } })
  await tab.see(/1/, { within: 'nav a[href^="/messages"]' })
  await tab.click('selector', 'nav a[href^="/messages"]')
  await tab.click('text', 'Unread hello')
  await tab.at(new RegExp(`^/messages/${bob.actor.id}`))
  await tab.until('it is read', async () => (await ann.actor.call(countUnreadMessages)) === 0)
})

test('a member changes the language and the appearance', async ({ tab, account, logIn }) => {
  await logIn(await account('ann'), '/profile/edit')
  const choose = (label: string, value: string) =>
    tab.until(`there is ${label}`, () =>
      tab.evaluate(
        (label, value) => {
          const selects = [...document.querySelectorAll('select')]
          const select = selects.find(({ labels }) => labels[0]?.textContent?.startsWith(label))
          if (select === undefined) return false
          select.value = value
          select.dispatchEvent(new Event('change', { bubbles: true }))
          return true
        },
        label,
        value,
      ),
    )
  await choose('Appearance', 'dark')
  await tab.until('the page is dark', () =>
    tab.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark'),
  )
  await choose('Language', 'es')
  await tab.see('editar mi perfil')
})
