import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { photo } from '../photos.ts'
import { test } from './fixtures.ts'

test('a photo of 12 megapixels is prepared; the longest stall of the page is printed', async ({
  tab,
  account,
  logIn,
  engineName,
}, info) => {
  const { buffer } = await photo({ width: 4000, height: 3000, square: 8 })
  const path = info.outputPath('large.jpg')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, buffer)
  await logIn(await account('ann'), '/listings/new')
  await tab.evaluate(() => {
    let [last, longest] = [performance.now(), 0]
    setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
      document.documentElement.dataset.stall = String(Math.round(longest))
    }, 10)
  })
  await tab.chooseFiles('input[type=file]', [path])
  await tab.until(
    'the photo is sent',
    async () =>
      (await tab.has('selector', 'main li img')) &&
      !(await tab.has('selector', 'main progress, main [role=progressbar]')),
    30_000,
  )
  const stall = await tab.evaluate(() => document.documentElement.dataset.stall)
  console.log(`${engineName}: the longest stall was ${stall} ms`)
})
