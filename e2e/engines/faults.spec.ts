import { expect, test } from './fixtures.ts'

test('a script that the service worker can not load is a fault', async ({
  tab,
  account,
  logIn,
  engineName,
}) => {
  test.skip(engineName !== 'Firefox', 'only Firefox logs the same when a page is left that still loads')
  await logIn(await account('ann'), '/listings')
  await tab.until('the worker controls the page', () =>
    tab.evaluate(() => navigator.serviceWorker.controller !== null),
  )
  await tab.evaluate(async () => {
    const link = document.createElement('link')
    const hasFailed = new Promise((resolve) => link.addEventListener('error', resolve))
    document.head.append(Object.assign(link, { rel: 'modulepreload', href: '/assets/missing.js' }))
    await hasFailed
  })
  const faults: string[] = []
  await tab.until('the fault is known', async () => faults.push(...tab.driver.takeFaults()) > 0)
  expect(faults).toEqual([expect.stringContaining('/assets/missing.js')])
})
