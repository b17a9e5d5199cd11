import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { photo } from '#test/pictures.ts'
import { expect, once, test } from './fixtures.ts'

/** What the page asks of the API from now on. */
function callsOf(page: Page): readonly string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/images/'))
      calls.push(`${request.method()} ${pathname}${search}`)
  })
  return calls
}

test(
  'a screen finds what it asks first on the page or on its way already, and asks for nothing twice',
  once,
  async ({ garden }) => {
    const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
    const give = { type_id: types.giveaway }
    await ann.actor.call(createListing, { body: { title: 'Garlic', ...give } })
    const { id } = await bob.actor.call(createListing, {
      body: { title: 'Beans', ...give },
      file: await photo(),
    })
    // Her own: to read what he wrote would change what is unread, which is asked anew then.
    await ann.actor.call(sendMessage, { body: { receiver_id: bob.actor.id, content: 'Is it ripe?' } })
    const { page } = ann
    // What it asks again once it is connected is another matter.
    await page.routeWebSocket('**/socket.io/**', () => undefined)
    /** Where the app's own scripts never come, only the page's first one asks. */
    async function askedFirst(place: string, most: number) {
      await page.context().clearCookies()
      const calls = callsOf(page)
      await page.route('**/assets/index-*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      )
      await page.goto(place)
      await expect.poll(() => calls).toHaveLength(most)
      await page.unrouteAll()
      return [...calls]
    }
    for (const [place, shows, calls] of [
      ['/listings', 'Garlic', 1],
      [`/listings/${id}`, 'Beans', 1],
      ['/my-listings', 'Garlic', 2],
      [`/messages/${bob.actor.id}`, 'Is it ripe?', 2],
    ] as const) {
      await test.step(place, async () => {
        // And how much is unread.
        const first = await askedFirst(place, calls + 2)
        await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
        await page.context().clearCookies()
        const asked = callsOf(page)
        await page.goto(place)
        await expect(page.getByText(shows).first()).toBeVisible()
        expect(asked.slice(0, first.length).sort()).toEqual(first.sort())
        for (const call of first) expect(asked.filter((one) => one === call)).toEqual([call])

        // By now the browser has a cookie that says who comes.
        let askedThen: readonly string[] = []
        await expect(async () => {
          askedThen = callsOf(page)
          const answer = await page.goto(place)
          expect(await answer?.text(), 'a server that is late brings nothing').toContain('id="brought"')
        }).toPass()
        await expect(page.getByText(shows).first()).toBeVisible()
        await expect
          .poll(() => page.evaluate(() => (globalThis as { firstAnswers?: unknown }).firstAnswers))
          .toBeUndefined()
        expect(askedThen.filter((one) => first.includes(one))).toEqual([])
      })
    }
  },
)
