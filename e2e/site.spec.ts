import { join } from 'node:path'
import { Actor } from '#test/actor.ts'
import { expect, test } from './fixtures.ts'
import { startServer } from './global-setup.ts'

const support = "o'help+more@rhubarb.example"
const links = [
  {
    name: 'The "Fediverse" $& $\' %SUPPORT_EMAIL%',
    url: 'https://social.example/@us?a=1&b="2"&c=$&%SOCIAL_NAME%',
  },
  {
    name: '</script></li><script>alert(1)</script>',
    url: 'https://elsewhere.example/"><img/src=x/onerror=alert(2)>',
  },
]

test("every page shows the operator's address and links from the settings, with special characters escaped", async ({
  world,
}, { outputDir }) => {
  await using server = await startServer(
    { SUPPORT_EMAIL: support, SOCIAL_LINKS: links.map(({ name, url }) => `${name}=${url}`).join(',') },
    join(outputDir, '..', '..', 'e2e-site-server.log'),
  )
  const { page } = await world.visitor()
  const ann = new Actor(server.url)
  await ann.join({ username: 'ann' })

  await page.goto(server.url)
  await expectSite()
  await page.goto(`${server.url}/login?next=%2Fprofile`)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password').fill(ann.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(`${server.url}/profile`)
  await expect(page.getByRole('region', { name: 'Support' }).getByRole('link')).toHaveText(support)
  await page.goto(`${server.url}/my-listings`)
  await expectSite()
  // An open page logs errors when its server stops.
  await page.close()

  async function expectSite() {
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByRole('link', { name: support })).toHaveAttribute('href', `mailto:${support}`)
    for (const { name, url } of links) {
      await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', url)
    }
    await expect(footer.getByRole('link')).toHaveCount(links.length + 4)
    await expect(page.locator('script:not([nonce]), img[src="x"]')).toHaveCount(0)
  }
})
