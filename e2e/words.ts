import type { Locator, Page } from '@playwright/test'
import { clickTryAgain } from './fixtures.ts'

/** Whom and what a walk through all screens meets: a member, a neighbor of theirs, and a listing of each. */
export interface ScreenContext {
  readonly page: Page
  readonly me: string
  readonly neighbor: { readonly id: number; readonly username: string }
  readonly mine: number
  readonly theirs: number
}

type Delivery = string | ((context: ScreenContext) => string)

/** A screen in a state, and the words that stand there. */
export interface Screen {
  /** Without it, the screen of the row before. */
  readonly at?: Delivery
  /** An action before the check, and its name. */
  readonly when?: readonly [name: string, does: (context: ScreenContext) => Promise<unknown>]
  readonly words: readonly Delivery[]
}

const press = (name: string) =>
  [
    `“${name}” is pressed`,
    ({ page }: ScreenContext) => page.getByRole('button', { name, exact: true }).first().click(),
  ] as const

const typed = (texts: Record<string, string>, send: string) =>
  [
    `${JSON.stringify(texts)} is sent`,
    async ({ page }: ScreenContext) => {
      for (const [label, text] of Object.entries(texts))
        await page.getByLabel(label, { exact: true }).fill(text)
      await page.getByRole('button', { name: send, exact: true }).click()
    },
  ] as const

/** The server's answer to the next call of this address, once. */
async function answer(page: Page, address: string, status: number, json: object = {}) {
  await page.route(address, (route) => route.fulfill({ status, json }), { times: 1 })
}

const address = { Email: 'ann@example.com' }

const newcomer = {
  ...address,
  'First name': 'Ann',
  'Last name': 'Gardener',
  Username: 'ann_gardens',
  Password: 'plum-crumble-42',
}

/** The specification's texts on the screens of guests, in its order. */
export const visitorScreens: readonly Screen[] = [
  { at: '/', words: ['Login', 'Sign up', 'List', 'Connect', 'Share', 'Match'] },
  { at: '/no-such-page', words: ['Page Not Found', 'Go to Home'] },
  { at: '/messages', words: ['Please log in to see your messages.'] },

  { at: '/login', words: ['Login', 'Register', 'Email', 'Password', 'forgot your password?'] },
  { when: press('Login'), words: ['Email is required', 'Password is required'] },
  { when: typed({ Email: 'ann', Password: 'x' }, 'Login'), words: ['Invalid email format'] },
  {
    when: typed({ ...address, Password: 'not this one' }, 'Login'),
    words: ['Incorrect email or password'],
  },
  {
    when: [
      'an answer has no token',
      async (context) => {
        await answer(context.page, '**/api/auth/login', 200)
        await typed({ Password: 'any' }, 'Login')[1](context)
      },
    ],
    words: ['Invalid credentials'],
  },

  {
    at: '/register',
    words: ['First name', 'Last name', 'Username', 'Email', 'Password', 'Confirm password'],
  },
  {
    when: press('Register'),
    words: [
      'First name is required',
      'Last name is required',
      'Username is required',
      'Email is required',
      'Password is required',
      'Please confirm your password',
    ],
  },
  {
    when: typed(
      { Username: 'not ok', Email: 'ann', Password: 'short', 'Confirm password': 'short' },
      'Register',
    ),
    words: [
      'Username can only contain letters, numbers, and underscores',
      'Invalid email format',
      'Password must be at least 8 characters long',
    ],
  },
  { when: typed({ Username: 'an' }, 'Register'), words: ['Username must be at least 3 characters long'] },
  {
    when: typed({ ...newcomer, 'Confirm password': 'another-word' }, 'Register'),
    words: ['Passwords do not match'],
  },

  { at: '/forgot-password', words: ['Email', 'Reset Password', 'Remembered your password?'] },
  { when: press('Reset Password'), words: ['Email is required'] },
  { when: typed({ Email: 'ann' }, 'Reset Password'), words: ['Invalid email address'] },
  {
    when: typed(address, 'Reset Password'),
    words: ['If an account exists with this email, you will receive a password reset link'],
  },

  {
    at: '/reset-password',
    words: [
      'Invalid or missing reset token',
      'Please request a new password reset link.',
      'Go to Forgot Password',
    ],
  },
  { at: '/reset-password?token=none', words: ['New password', 'Confirm new password', 'Reset Password'] },
  { when: press('Reset Password'), words: ['New password is required.'] },
  {
    when: typed({ 'New password': 'short', 'Confirm new password': 'short' }, 'Reset Password'),
    words: ['Password must be at least 8 characters long.'],
  },
  {
    when: typed({ 'New password': newcomer.Password, 'Confirm new password': 'other' }, 'Reset Password'),
    words: ['Passwords do not match.'],
  },
]

/** The same of the screens of members. */
export const memberScreens: readonly Screen[] = [
  { at: '/', words: ['Logout', 'Marketplace'] },
  {
    at: '/personal-info',
    words: [
      ({ me }) => `Hello ${me}`,
      'City',
      'State',
      'Postcode',
      'Address (optional)',
      'Apt (optional)',
      'Next >',
      'skip for now',
    ],
  },
  {
    when: typed({ City: 'Portland', State: 'OR', Postcode: ' 123 ' }, 'Next >'),
    words: ['Postcode must be at least 5 characters.'],
  },
  {
    at: '/invite-your-friends',
    words: ['Use QR Code', 'Share your profile with a link', 'finish setup', 'skip for now'],
  },

  {
    at: '/my-listings',
    words: ['Have', 'Want', 'private', 'public', 'produce', 'Sungold tomatoes', '$3', 'seeds', 'exchange'],
  },
  {
    when: [
      'the profile does not come',
      async ({ page }) => {
        await page.route('**/api/auth/profile', (route) => route.fulfill({ status: 403 }))
        await page.reload()
      },
    ],
    words: ['Failed to load profile data.', 'Sungold tomatoes'],
  },
  {
    when: ['“Try again” is pressed', ({ page }) => clickTryAgain(page, '**/api/auth/profile')],
    words: ['Add your postcode'],
  },
  { at: '/my-listings?show=private', words: ['No listings found.'] },
  { at: '/my-listings?tab=want', words: ['No items in wishlist.'] },

  {
    at: '/listings',
    words: [
      "Friend's",
      'Public',
      'produce',
      'seeds',
      'plants',
      'Rhubarb crowns',
      'giveaway',
      own('neighbor'),
    ],
  },
  {
    at: '/listings?tab=friends',
    words: ['No listings from friends yet. Check out the public listings!'],
  },
  { at: '/listings?tab=friends&category=produce', words: ['No produce listings available at the moment.'] },
  { at: '/listings?tab=friends&category=seeds', words: ['No seeds listings available at the moment.'] },
  { at: '/listings?tab=friends&category=plants', words: ['No plants listings available at the moment.'] },
  {
    when: press('Filter'),
    words: ['newest', 'oldest', 'highest', 'lowest', 'exchange', 'sell', 'giveaway', 'min', 'max'],
  },
  {
    at: '/filter-page',
    words: ['newest', 'oldest', 'highest', 'lowest', 'exchange', 'sell', 'giveaway', 'min', 'max', 'save'],
  },

  {
    at: ({ theirs }) => `/listings/${theirs}`,
    words: [
      'plants',
      'public',
      'Rhubarb crowns',
      'giveaway',
      own('neighbor'),
      'Location not provided',
      'No description provided',
      'I’d like this',
      'share',
      ({ neighbor }) => `Chat with ${neighbor.username}`,
      'Type a message…',
      'Send',
    ],
  },
  { when: press('I’d like this'), words: ['Note (optional)', 'ask', 'cancel'] },
  { when: press('Close'), words: ['Rhubarb crowns'] },
  { when: press('share'), words: ['Copy', 'Cancel'] },
  {
    when: [
      'it can not be copied',
      async ({ page }) => {
        await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: {} }))
        await page.getByRole('button', { name: 'Copy' }).click()
      },
    ],
    words: ['Failed to copy link to clipboard'],
  },
  {
    when: [
      'nobody is named as its owner',
      async ({ page, theirs }) => {
        await page.route(
          `**/api/listings/${theirs}`,
          async (route) => {
            const listing = await (await route.fetch()).json()
            await route.fulfill({ json: { ...listing, owner_username: '' } })
          },
          { times: 1 },
        )
        // Without a cookie the page does not bring the answer.
        await page.context().clearCookies()
        await page.reload()
      },
    ],
    words: ['Unknown user'],
  },
  { at: ({ mine }) => `/listings/${mine}`, words: ['Sungold tomatoes', '$3', 'share', 'edit', 'delete'] },
  {
    at: '/listings/new',
    words: ['Have', 'Want', 'produce', 'seeds', 'plants', 'Item name', 'Type', 'Price', 'post'],
  },
  { words: ['Description (optional)', 'Photo (optional)', 'publish the post to public'] },
  {
    when: typed({ 'Item name': 'ab' }, 'post'),
    words: ['Title must be at least 3 characters long', 'Price must be greater than 0 for sell listings'],
  },
  {
    when: [
      'the photo is none',
      ({ page }) =>
        fileField(page).setInputFiles({
          name: 'photo.png',
          mimeType: 'image/png',
          buffer: Buffer.from('not a photo'),
        }),
    ],
    words: ['Image processing failed.'],
  },
  {
    at: ({ mine }) => `/listings/${mine}/edit`,
    words: ['Item name', 'Type', 'Price', 'publish the post to public', 'save', 'cancel'],
  },
  { when: typed({ 'Item name': '' }, 'save'), words: ['Title is required'] },

  { at: '/post-want', words: ['Have', 'Want', 'produce', 'seeds', 'plants', 'add', 'save'] },
  { when: press('save'), words: ['Please add at least one item to your wish list'] },
  {
    when: [
      'an item is short',
      async ({ page }) => {
        await page.getByRole('textbox').first().fill('ab')
        await page.getByRole('button', { name: 'save' }).click()
      },
    ],
    words: ['Each item must have at least 3 characters'],
  },
  { at: '/have-want-search', words: ['Have', 'Want', 'produce', 'seeds', 'plants', "friend's", 'public'] },
  { at: '/friend-search', words: ["friend's", 'public'] },

  {
    at: '/myfriends',
    words: [
      'my friends',
      '0 friends',
      '1 pending invitation',
      'Connect to your friends',
      'Search by username',
    ],
  },
  { when: press('Use QR Code'), words: ['Share your QR code'] },
  { when: press('Close'), words: ['my friends'] },
  { when: press('Share your profile with a link'), words: ['Share your profile link', 'Copy', 'Cancel'] },
  {
    at: '/myfriends?view=invitations',
    words: ['accept', 'cancel', '< Back to friend list', own('neighbor')],
  },
  {
    when: [
      'it is gone when it is answered',
      async ({ page }) => {
        await answer(page, '**/api/auth/friends/respond', 404, { detail: 'Friend request not found' })
        await page.getByRole('button', { name: 'accept' }).click()
      },
    ],
    words: ['Friend request not found'],
  },
  {
    at: ({ neighbor }) => `/seller/${neighbor.id}`,
    words: [
      ({ neighbor }) => `@${neighbor.username}`,
      'Location not specified',
      '0 friends',
      'Friend request pending',
      'Have',
      'Want',
      'Rhubarb crowns',
      'giveaway',
    ],
  },
  { at: ({ neighbor }) => `/seller/${neighbor.id}?tab=want`, words: ['No items in wishlist.'] },
  { at: '/seller/999999999', words: ['User not found'] },

  { at: '/trades', words: ['my trades', 'Open', 'Closed', 'No open trades.'] },
  { at: '/trades?state=closed', words: ['No closed trades yet.'] },
  { at: '/messages', words: ['messages', 'Search', 'No conversations found.'] },
  {
    at: ({ neighbor }) => `/messages/${neighbor.id}`,
    words: [({ neighbor }) => `Chat with ${neighbor.username}`, 'Type a message…', 'Send'],
  },
  { at: '/messages/999999999', words: ['Chat with User 999999999', 'User not found'] },

  {
    at: '/profile',
    words: [
      'my profile',
      'Ann',
      ({ me }) => `@${me}`,
      '0 friends',
      'Name',
      'Username',
      'Password',
      'Email',
      'Address',
      'Address not available',
      'Log out',
      'Support',
    ],
  },
  {
    at: '/profile/edit',
    words: ['edit my profile', 'save', 'update', 'First name', 'Last name', 'Username', 'Password', 'Email'],
  },
  { words: ['City', 'State', 'Zip code', 'Leave blank to keep the current one'] },
  { words: ['my listing', 'marketplace', 'message', 'profile', 'hello@rhubarb.example'] },
]

function own(who: 'neighbor'): Delivery {
  return (context) => context[who].username
}

const fileField = (page: Page) => page.locator('input[type=file]').last()

/** Where a text stands: as a text, as what a field says of itself, or as a button's, which may say unseen what it is for. */
export function sight(page: Page, words: string): Locator {
  const exact = { exact: true }
  return page
    .getByText(words, exact)
    .or(page.getByLabel(words, exact))
    .or(page.getByPlaceholder(words, exact))
    .or(page.getByRole('button', { name: new RegExp(`^${literal(words)} `) }))
    .filter({ visible: true })
    .first()
}

/** A text as a pattern of itself. */
export function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
