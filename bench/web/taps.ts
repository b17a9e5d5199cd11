import type { Locator, Page } from '@playwright/test'

type Find = (page: Page) => Locator

/** A tap of a member. */
export interface Tap {
  readonly name: string
  readonly at: Find
  /** The text to type into the focused field. Each key counts as a tap. */
  readonly keys?: string
  /** Locates the element that the tap shows. */
  readonly shows: Find
}

const button =
  (name: string): Find =>
  (page) =>
    page.getByRole('button', { name })
const pressed =
  (name: string): Find =>
  (page) =>
    page.getByRole('button', { name, pressed: true })
const link =
  (name: string): Find =>
  (page) =>
    page.getByRole('main').getByRole('link', { name, exact: true })
const inDialog =
  (name: string): Find =>
  (page) =>
    page.getByRole('dialog').getByRole('button', { name })
const dialog =
  (name: string): Find =>
  (page) =>
    page.getByRole('dialog', { name })
const title =
  (name: string): Find =>
  (page) =>
    page.getByRole('heading', { level: 1, name })
/** The current link of a navigation. */
const here =
  (name: string): Find =>
  (page) =>
    page.locator('[aria-current=page]').filter({ hasText: name, visible: true })
const place =
  (name: string): Find =>
  (page) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
const card: Find = (page) => page.locator('main li a').first()
const composer: Find = (page) => page.getByPlaceholder('Type a message…')
const searchBox: Find = (page) => page.getByRole('searchbox')
const publicSwitch: Find = (page) => page.locator('label:has([role=switch])').first()
const said = 'Is there any left?'

/** The taps on each screen in their order. Later taps undo all changes. */
export const taps: Readonly<Record<string, readonly Tap[]>> = {
  marketplace: [
    { name: 'a category', at: button('seeds'), shows: pressed('seeds') },
    { name: 'another', at: button('produce'), shows: pressed('produce') },
    { name: 'the same again', at: pressed('produce'), shows: card },
    { name: 'Filter', at: button('Filter'), shows: dialog('Filter listings') },
    { name: 'a choice in it', at: inDialog('giveaway'), shows: pressed('giveaway') },
    { name: 'save', at: inDialog('save'), shows: button('Filter (1)') },
    { name: 'Filter again', at: button('Filter'), shows: dialog('Filter listings') },
    { name: 'Close', at: inDialog('Close'), shows: card },
    { name: "Friend's", at: link("Friend's"), shows: here("Friend's") },
    { name: 'Public', at: link('Public'), shows: here('Public') },
    { name: 'the search box', at: searchBox, shows: (page) => page.locator('input:focus') },
    { name: 'its keys', at: searchBox, keys: 'beans', shows: button('Clear the search') },
    { name: 'Clear', at: button('Clear the search'), shows: card },
    { name: 'a card', at: card, shows: button('share') },
    { name: 'Back', at: link('Back'), shows: title('marketplace') },
  ],
  listing: [
    { name: 'share', at: button('share'), shows: dialog('Share this listing') },
    { name: 'Cancel', at: inDialog('Cancel'), shows: button('share') },
    { name: 'report', at: button('report'), shows: (page) => page.getByRole('dialog') },
    { name: 'Close', at: inDialog('Close'), shows: button('report') },
    { name: 'the message box', at: composer, shows: (page) => page.locator('textarea:focus') },
    { name: 'its keys', at: composer, keys: 'Hello', shows: composer },
    {
      name: 'the seller',
      at: (page) => page.locator('main a[href^="/seller/"]').first(),
      shows: (page) => page.getByRole('navigation', { name: 'Lists' }),
    },
    { name: 'Back', at: link('Back'), shows: button('share') },
    { name: 'Back to the market', at: link('Back'), shows: title('marketplace') },
  ],
  conversation: [
    { name: 'the message box', at: composer, shows: (page) => page.locator('textarea:focus') },
    { name: 'its keys', at: composer, keys: said, shows: composer },
    { name: 'Send', at: button('Send'), shows: (page) => page.getByRole('log').getByText(said).last() },
    { name: 'Back', at: link('Back'), shows: title('messages') },
    { name: 'a thread', at: card, shows: composer },
  ],
  'my lists': [
    { name: 'public', at: publicSwitch, shows: publicSwitch },
    { name: 'public again', at: publicSwitch, shows: publicSwitch },
    { name: 'only public', at: (page) => page.locator('fieldset label').last(), shows: card },
    { name: 'all', at: (page) => page.locator('fieldset label').last(), shows: card },
    { name: 'Want', at: link('Want'), shows: here('Want') },
    { name: 'Have', at: link('Have'), shows: here('Have') },
    { name: 'New listing', at: link('New listing'), shows: title('') },
    { name: 'marketplace', at: place('marketplace'), shows: title('marketplace') },
    { name: 'message', at: place('message'), shows: title('messages') },
    { name: 'profile', at: place('profile'), shows: here('profile') },
    { name: 'my listing', at: place('my listing'), shows: title('my lists') },
  ],
}
