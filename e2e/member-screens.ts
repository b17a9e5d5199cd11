import { expect, type Page } from '@playwright/test'
import { photo } from './photos.ts'
import type { SampleData } from './sample-data.ts'
import {
  expectWords,
  field,
  namedButton,
  openDialog,
  type Screen,
  submitDialog,
  submitInvalid,
  submitInvalidWith,
  textIn,
} from './screens.ts'

const filterWords = ['newest', 'oldest', 'highest', 'lowest', 'exchange', 'sell', 'giveaway', 'min', 'max']

/** Returns the screens of members by the route's path. */
export function memberScreens({
  ann,
  bob,
  annsListing,
  bobsListing,
  requestedListing,
  tradeId,
}: SampleData): Readonly<Record<string, readonly Screen[]>> {
  return {
    '/': [
      {
        at: '/',
        shows: 'Good things get passed over the fence.',
        words: ['Logout', 'Marketplace'],
        isVariant: true,
      },
    ],
    '/not-found': [{ at: '/not-found', shows: 'Page Not Found', isVariant: true }],
    '/personal-info': [
      {
        at: '/personal-info',
        shows: 'skip for now',
        words: ['Address (optional)', 'Apt (optional)', 'Next >'],
        more: {
          'with a postcode too short': submitInvalidWith('Postcode', '972', 'Next >'),
        },
      },
    ],
    '/invite-your-friends': [
      {
        at: '/invite-your-friends',
        shows: 'finish setup',
        words: ['skip for now'],
        more: { 'with nothing filled in': submitInvalid('Send invitation') },
      },
    ],
    '/my-listings': [
      {
        at: '/my-listings',
        shows: 'Strawberry runners',
        fails: 'Failed to load listings. Please try again later.',
        empty: 'No listings found.',
      },
      {
        at: '/my-listings?tab=want',
        shows: '1 match with your wish list',
        fails: 'No items in wishlist.',
        empty: 'No items in wishlist.',
        isVariant: true,
      },
    ],
    '/listings': [
      {
        at: '/listings?tab=friends',
        shows: 'Skirret roots',
        fails: 'Failed to fetch listings. Please try again later.',
        empty: 'No listings from friends yet. Check out the public listings!',
        more: {
          'the filter with a range that can not be': async (page) => {
            await openDialog('Filter')(page)
            await expectWords(page, filterWords)
            await field(page, 'min').fill('90')
            await field(page, 'max').fill('20')
            await expect(field(page, 'min')).toHaveAttribute('aria-invalid', 'true')
          },
        },
      },
      {
        at: '/listings?tab=friends&category=produce&q=roots&show=exchange',
        shows: 'Skirret roots',
        isVariant: true,
      },
    ],
    '/listings/new': [
      {
        at: '/listings/new',
        shows: 'Choose a photo',
        words: ['Description (optional)', 'Photos (optional)'],
        more: {
          'with nothing filled in': submitInvalid('post'),
          'with two photos': async (page) => {
            const files = [await photo({ width: 400, height: 300 }), await photo({ width: 300, height: 400 })]
            await page.locator('input[type=file]').setInputFiles(files)
            await expect(
              page.getByRole('img', { name: textIn(page, 'Photo {number}', { number: '2' }) }),
            ).toBeVisible()
            await expect(page.getByRole('progressbar')).toHaveCount(0)
          },
        },
      },
    ],
    '/listings/$id': [
      {
        at: `/listings/${bobsListing}`,
        shows: 'Send',
        renders: 'Skirret roots',
        fails: 'Failed to fetch listing details. Please try again later.',
        more: {
          'the share dialog': openDialog('share'),
          'the dialog to ask for it': async (page) => {
            await namedButton(page, 'I’d like this').filter({ visible: true }).click()
            await expect(page.getByRole('dialog').locator('select')).toBeVisible()
          },
          'the report dialog with nothing filled in': async (page) => {
            await openDialog('report')(page)
            await submitDialog(page, 'send')
            await expect(field(page, 'What is wrong?')).toHaveAttribute('aria-invalid', 'true')
          },
        },
      },
      {
        at: `/listings/${annsListing}`,
        shows: 'Wanted by 1',
        renders: 'Salsify roots',
        more: { 'the dialog to delete it': openDialog('delete') },
        isVariant: true,
      },
      {
        at: `/listings/${requestedListing}`,
        shows: 'Asked for by 1',
        renders: 'Seeds of the rose',
        isVariant: true,
      },
    ],
    '/listings/$id/edit': [
      {
        at: `/listings/${annsListing}/edit`,
        shows: 'publish the post to public',
        fails: 'Failed to fetch listing details. Please try again later.',
        more: {
          'with no name': submitInvalidWith('Item name', '', 'save'),
        },
      },
    ],
    '/post-want': [
      {
        at: '/post-want',
        shows: 'uncategorized',
        fails: 'Your saved items are missing here.',
        empty: 'uncategorized',
        more: {
          'with an item marked and one too short': async (page) => {
            await namedButton(page, 'Delete {title}', { title: 'Skirret' }).click()
            const category = textIn(page, 'plants')
            const name = textIn(page, '{category}, item {number}', { category, number: '1' })
            await page.getByRole('textbox', { name }).fill('ab')
            await submitInvalid('save')(page)
          },
        },
      },
    ],
    '/filter-page': [{ at: '/filter-page', shows: 'save', words: filterWords }],
    '/have-want-search': [
      {
        at: '/have-want-search?q=skirret',
        shows: 'Skirret roots',
        words: ['Have', 'Want', 'produce', 'seeds', 'plants', "friend's", 'public'],
        fails: 'Failed to fetch listings. Please try again later.',
        empty: 'No listings found.',
      },
      {
        at: '/have-want-search?tab=want&q=salsify',
        shows: 'wanted by',
        fails: 'Failed to load data',
        isVariant: true,
      },
    ],
    '/friend-search': [
      {
        at: `/friend-search?q=${bob.username}`,
        shows: bob.username,
        words: ["friend's", 'public'],
        fails: 'Failed to fetch data. Please try again later.',
      },
    ],
    '/matches': [
      {
        at: '/matches',
        shows: 'Skirret roots',
        fails: 'Failed to load data',
        empty: 'Nothing fits your wish list yet.',
      },
    ],
    '/wanted': [
      {
        at: '/wanted',
        shows: 'Salsify',
        words: ['wanted near you', 'produce', 'seeds', 'plants'],
        fails: 'Failed to load data',
        empty: 'We do not know where you are.',
      },
    ],
    '/match-noti': [
      { at: '/match-noti', shows: 'This is what you get by e-mail', fails: 'Failed to load data' },
    ],
    '/friend-invi': [
      { at: '/friend-invi', shows: 'This is what a neighbor gets', fails: 'Failed to load data' },
    ],
    '/messages': [
      {
        at: '/messages',
        shows: 'Good morning',
        fails: 'Failed to load data',
        empty: 'No conversations found.',
      },
    ],
    '/messages/$otherId': [
      {
        at: `/messages/${bob.actor.id}`,
        shows: 'I come by after six.',
        fails: 'Failed to load data',
        empty: 'Send',
        more: {
          'the trades': async (page) => {
            await page.getByRole('main').locator('button[aria-expanded]').filter({ hasText: '3' }).click()
            await page.locator('summary').first().press('Enter')
          },
        },
      },
    ],
    '/notifications': [
      {
        at: '/notifications',
        shows: 'would like to be your friend',
        fails: 'Failed to load data',
        empty: 'No notifications yet.',
      },
    ],
    '/notifications/settings': [
      {
        at: '/notifications/settings',
        shows: 'Matches with my wish list',
        fails: 'Failed to load data',
      },
    ],
    '/trades': [
      {
        at: '/trades',
        shows: 'Seeds of the rose',
        words: ['my trades', 'Open', 'Closed'],
        fails: 'Failed to load data',
        empty: 'No open trades.',
        more: {
          'the thank-you dialog': async (page) => {
            await page.goto('/trades?state=closed')
            await openDialog('say thank you')(page)
          },
          'the pickup dialog with nothing filled in': async (page) => {
            await page.goto('/trades')
            await openDialog('arrange the pickup')(page)
            await submitDialog(page, 'propose')
            await expect(field(page, 'Day')).toHaveAttribute('aria-invalid', 'true')
          },
          'the dialog to end a promise': openDialog('withdraw'),
        },
      },
      {
        at: '/trades?state=closed',
        shows: 'Chives by the pot',
        empty: 'No closed trades yet.',
        isVariant: true,
      },
    ],
    '/trades/$id': [
      { at: `/trades/${tradeId}`, shows: 'would like this.', fails: 'Failed to load data' },
      { at: '/trades/999999999', shows: 'Trade not found', isVariant: true },
    ],
    '/myfriends': [
      {
        at: '/myfriends',
        shows: bob.username,
        words: ['my friends', 'Connect to your friends'],
        fails: 'Failed to load data',
        empty: 'No friends yet.',
        more: {
          'the QR code': async (page) => {
            await openDialog('Use QR Code')(page)
            await page.getByRole('dialog').getByRole('img').waitFor()
          },
          'the profile link': openDialog('Share your profile with a link'),
        },
      },
      {
        at: '/myfriends?view=invitations',
        shows: 'accept',
        fails: 'Failed to load data',
        empty: 'No pending invitations.',
        isVariant: true,
      },
    ],
    '/seller/$id': [
      {
        at: `/seller/${bob.actor.id}`,
        shows: 'Tomatoes',
        fails: 'Failed to fetch data. Please try again later.',
        more: {
          'the dialog to end a friendship': openDialog('Remove friend'),
          'the dialog to block': openDialog('block'),
        },
      },
      { at: `/seller/${bob.actor.id}?tab=want`, shows: 'Salsify', isVariant: true },
      { at: `/seller/${ann.actor.id}?tab=thanks`, shows: 'Lovely chives.', isVariant: true },
      { at: '/seller/999999999', shows: 'User not found', isVariant: true },
    ],
    '/profile': [
      {
        at: '/profile',
        shows: 'Portland, OR 97214',
        fails: 'Failed to load profile data',
        empty: 'Address not available',
        more: { 'the dialog to delete it': openDialog('delete my profile') },
      },
    ],
    '/profile/edit': [
      {
        at: '/profile/edit',
        shows: 'blocked members',
        fails: 'Failed to load profile data',
        empty: 'Zip code',
      },
    ],
    // Reports and actions of other tests are on the screens of the desk too.
    '/desk': [
      {
        at: '/desk',
        shows: 'Audit log',
        more: { 'the dialog to close a report with nothing filled in': decide },
      },
    ],
    '/desk/closed': [{ at: '/desk/closed', shows: 'Audit log' }],
    '/desk/audit-log': [{ at: '/desk/audit-log', shows: 'Action' }],
    '/desk/listings': [
      {
        at: '/desk/listings',
        shows: 'what was done before',
        more: { 'the dialog to decide on a listing with nothing filled in': decide },
      },
    ],
    '/desk/suspicious': [
      {
        at: '/desk/suspicious',
        shows: 'Bans',
        more: { 'the dialog to ban with nothing filled in': banNothing },
      },
    ],
    '/desk/today': [{ at: '/desk/today', shows: 'Registrations' }],
    '/desk/health': [{ at: '/desk/health', shows: 'This machine' }],
    '/desk/site': [{ at: '/desk/site', shows: 'Registrations an hour from one network' }],
    '/desk/mail': [{ at: '/desk/mail', shows: 'Failed for good' }],
    '/desk/members': [{ at: '/desk/members', shows: 'Audit log' }],
    '/desk/members/$id': [
      {
        at: `/desk/members/${bob.actor.id}`,
        shows: 'Reports about this member',
        more: { 'the dialog to act on a member with nothing filled in': actOnMember },
      },
    ],
  }
}

const decide = (page: Page) => submitEmpty(page, 'decide')
async function banNothing(page: Page) {
  await namedButton(page, 'ban an address or a domain').click()
  await submitDialog(page, 'ban')
  await expect(page.getByRole('dialog').locator('[aria-invalid="true"]')).toHaveCount(2)
}
const actOnMember = (page: Page) => submitEmpty(page, 'act')

/** Opens a dialog of the desk and submits it without a reason. */
async function submitEmpty(page: Page, button: string) {
  await namedButton(page, button).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await submitDialog(page, 'save')
  await expect(page.getByRole('dialog').locator('[aria-invalid="true"]')).toHaveCount(1)
}
