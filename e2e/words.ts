import type { Locator, Page } from '@playwright/test'
import { clickTryAgain } from './fixtures.ts'

/** The page, the member's username, another member, and a listing of each. */
export interface ScreenContext {
  readonly page: Page
  readonly me: string
  readonly neighbor: { readonly id: number; readonly username: string }
  readonly mine: number
  readonly theirs: number
}

type Words = string | ((context: ScreenContext) => string)

/** A screen in one state, and the words that it shows. */
export interface Screen {
  /** The URL. Default: the screen of the previous row. */
  readonly at?: Words
  /** An action before the check, with its name. */
  readonly when?: readonly [name: string, does: (context: ScreenContext) => Promise<unknown>]
  readonly words: readonly Words[]
}

const press = (name: string) =>
  [
    `“${name}” is pressed`,
    ({ page }: ScreenContext) => page.getByRole('button', { name, exact: true }).first().click(),
  ] as const

const submit = (texts: Record<string, string>, send: string) =>
  [
    `${JSON.stringify(texts)} is sent`,
    async ({ page }: ScreenContext) => {
      for (const [label, text] of Object.entries(texts))
        await page.getByLabel(label, { exact: true }).fill(text)
      await page.getByRole('button', { name: send, exact: true }).click()
    },
  ] as const

/** Mocks the response to the next call of this address. */
async function fulfillOnce(page: Page, address: string, status: number, json: object = {}) {
  await page.route(address, (route) => route.fulfill({ status, json }), { times: 1 })
}

const address = { Email: 'ann@example.com' }

const registration = {
  ...address,
  'First name': 'Ann',
  'Last name': 'Gardener',
  Username: 'ann_gardens',
  Password: 'plum-crumble-42',
}

/** The specification's texts on the screens of visitors, in its order. */
export const visitorScreens: readonly Screen[] = [
  { at: '/', words: ['Login', 'Sign up', 'List', 'Connect', 'Share', 'Match'] },
  { at: '/no-such-page', words: ['Page Not Found', 'Go to Home'] },
  { at: '/messages', words: ['Please log in to see your messages.'] },

  { at: '/login', words: ['Login', 'Register', 'Email', 'Password', 'forgot your password?'] },
  { when: press('Login'), words: ['Email is required', 'Password is required'] },
  { when: submit({ Email: 'ann', Password: 'x' }, 'Login'), words: ['Invalid email format'] },
  {
    when: submit({ ...address, Password: 'not this one' }, 'Login'),
    words: ['Incorrect email or password'],
  },
  {
    when: [
      'the response has no token',
      async (context) => {
        await fulfillOnce(context.page, '**/api/auth/login', 200)
        await submit({ Password: 'any' }, 'Login')[1](context)
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
    when: submit(
      { Username: 'not ok', Email: 'ann', Password: 'short', 'Confirm password': 'short' },
      'Register',
    ),
    words: [
      'Username can only contain letters, numbers, and underscores',
      'Invalid email format',
      'Password must be at least 8 characters long',
    ],
  },
  { when: submit({ Username: 'an' }, 'Register'), words: ['Username must be at least 3 characters long'] },
  {
    when: submit({ ...registration, 'Confirm password': 'another-word' }, 'Register'),
    words: ['Passwords do not match'],
  },

  { at: '/forgot-password', words: ['Email', 'Reset Password', 'Remembered your password?'] },
  { when: press('Reset Password'), words: ['Email is required'] },
  { when: submit({ Email: 'ann' }, 'Reset Password'), words: ['Invalid email address'] },
  {
    when: submit(address, 'Reset Password'),
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
    when: submit({ 'New password': 'short', 'Confirm new password': 'short' }, 'Reset Password'),
    words: ['Password must be at least 8 characters long.'],
  },
  {
    when: submit(
      { 'New password': registration.Password, 'Confirm new password': 'other' },
      'Reset Password',
    ),
    words: ['Passwords do not match.'],
  },
]

/** The specification's texts on the screens of members. */
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
    when: submit({ City: 'Portland', State: 'OR', Postcode: ' 123 ' }, 'Next >'),
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
      'the profile fails to load',
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
      usernameOf('neighbor'),
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
      usernameOf('neighbor'),
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
      'the clipboard is not available',
      async ({ page }) => {
        await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: {} }))
        await page.getByRole('button', { name: 'Copy' }).click()
      },
    ],
    words: ['Failed to copy link to clipboard'],
  },
  {
    when: [
      'it has no owner',
      async ({ page, theirs }) => {
        await page.route(
          `**/api/listings/${theirs}`,
          async (route) => {
            const listing = await (await route.fetch()).json()
            await route.fulfill({ json: { ...listing, owner_username: '' } })
          },
          { times: 1 },
        )
        // Without the cookie the browser fetches the data.
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
  { words: ['Description (optional)', 'Photos (optional)', 'publish the post to public'] },
  {
    when: submit({ 'Item name': 'ab' }, 'post'),
    words: ['Title must be at least 3 characters long', 'Price must be greater than 0 for sell listings'],
  },
  {
    when: [
      'the file is no image',
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
  { when: submit({ 'Item name': '' }, 'save'), words: ['Title is required'] },

  { at: '/post-want', words: ['Have', 'Want', 'produce', 'seeds', 'plants', 'add', 'save'] },
  { when: press('save'), words: ['Please add at least one item to your wish list'] },
  {
    when: [
      'an item is too short',
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
    words: ['accept', 'cancel', '< Back to friend list', usernameOf('neighbor')],
  },
  {
    when: [
      'the request is cancelled meanwhile',
      async ({ page }) => {
        await fulfillOnce(page, '**/api/auth/friends/respond', 404, { detail: 'Friend request not found' })
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

function usernameOf(who: 'neighbor'): Words {
  return (context) => context[who].username
}

const fileField = (page: Page) => page.locator('input[type=file]').last()

/** Returns the visible element with these words as its text, label, placeholder, or the start of its accessible name. */
export function visibleText(page: Page, words: string): Locator {
  const exact = { exact: true }
  return page
    .getByText(words, exact)
    .or(page.getByLabel(words, exact))
    .or(page.getByPlaceholder(words, exact))
    .or(page.getByRole('button', { name: new RegExp(`^${escapeRegExp(words)} `) }))
    .filter({ visible: true })
    .first()
}

/** Escapes a text for a regular expression. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
