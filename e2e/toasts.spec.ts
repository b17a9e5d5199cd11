import type { Locator } from '@playwright/test'
import { blockMember } from '#contract/members.ts'
import { createWant } from '#contract/wants.ts'
import { insertListings } from './database.ts'
import { desktop, expect, phone, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'

interface Box {
  readonly y: number
  readonly height: number
}

/** Returns whether two boxes do not overlap vertically. */
function isClear(a: Box, b: Box) {
  return a.y + a.height <= b.y || b.y + b.height <= a.y
}

test('a toast does not cover the Send button on a phone and on a desktop', async ({ world }) => {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  const { page } = ann
  const toast = page.getByText(`${bob.username} is no longer blocked`).locator('..')
  const send = page.getByRole('button', { name: 'Send' })
  for (const path of [`/seller/${bob.actor.id}`, `/messages/${bob.actor.id}`]) {
    await ann.actor.call(blockMember, { params: { id: bob.actor.id } })
    await page.goto(path)
    await page.getByRole('button', { name: `unblock ${bob.username}` }).click()
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size)
      // A toast stays open while the pointer is over it.
      await toast.hover()
      await expect(send).toBeInViewport({ ratio: 1 })
      await expect(toast).toBeInViewport({ ratio: 1 })
      const [toastBox, sendBox] = [await toast.boundingBox(), await send.boundingBox()]
      expect(toastBox !== null && sendBox !== null && isClear(toastBox, sendBox), path).toBe(true)
    }
    await toast.click()
    await expect(toast).toHaveCount(0)
    await page.setViewportSize(phone)
  }
})

test('a toast with Undo covers no control of a long list on a phone and on a desktop', async ({ world }) => {
  const { page, actor } = await world.member('ann')
  for (let number = 1; number <= 5; number++)
    await actor.call(createWant, { body: { title: `Melon ${number}` } })
  const toast = page.getByRole('status').getByText('Taken off your wish list')

  await page.goto('/my-listings?tab=want')
  await page.getByRole('button', { name: 'Delete Melon 3' }).click()
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size)
    await toast.hover()
    await expectClear(toast)
    await page.mouse.wheel(0, 300)
    await expect(async () => expectClear(toast)).toPass()
  }
  await page.setViewportSize(phone)
  await setTextSize(page, '200%')
  await expectNoLayoutFaults(page, 'a toast with text twice as large')
})

test('a toast moves off the controls after scrolling in a browser without scrollend', async ({ world }) => {
  const { page, actor } = await world.member('ann')
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'onscrollend')
    document.addEventListener('scrollend', (event) => event.stopImmediatePropagation(), { capture: true })
  })
  for (let number = 1; number <= 5; number++)
    await actor.call(createWant, { body: { title: `Melon ${number}` } })
  await page.goto('/my-listings?tab=want')
  await page.getByRole('button', { name: 'Delete Melon 3' }).click()
  const toast = page.getByRole('status').getByText('Taken off your wish list')
  await expect(toast).toBeVisible()
  const host = toast.locator('xpath=ancestor::*[@role="status"]')
  await host.evaluate((element) => element.style.removeProperty('translate'))
  await page.evaluate(() => window.scrollBy(0, 40))

  await expect(host).toHaveCSS('translate', /px/)
  await expectClear(toast)
})

test('toasts without a button have one height on all screens, also after one with a button', async ({
  world,
}) => {
  const ann = await world.member('ann')
  const { page, actor } = ann
  await insertListings(ann, 'Pumpkin', 15)
  await actor.call(createWant, { body: { title: 'Melons' } })
  const bottomOf = async (words: string) => {
    const toast = page.getByRole('status').getByText(words).locator('..')
    await toast.hover()
    const box = await toast.boundingBox()
    return box && box.y + box.height
  }
  await page.goto('/my-listings?tab=want')
  await page.getByRole('button', { name: 'Delete Melons' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  const bottom = await bottomOf('Undone')
  await page.goto('/my-listings?show=public')
  for (const distance of [0, 130, 70]) {
    await page.mouse.wheel(0, distance)
    await page.locator('li label:has(:checked)').nth(2).click()
    // The toast of the last click gives way to the next one, which may be between two measurements.
    await expect.poll(() => bottomOf('Listing is private now')).toBe(bottom)
  }
})

/** Fails if the toast around these words lies on a control. */
async function expectClear(words: Locator) {
  const covered = await words.evaluate((element) => {
    const toast = element.closest('[role=status]')?.firstElementChild
    if (!toast) throw new Error('No toast')
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    return [...document.querySelectorAll('button, input, label, nav a')]
      .filter((control) => !toast.contains(control) && control.checkVisibility())
      .filter((control) => {
        const box = control.getBoundingClientRect()
        return box.left < right && box.right > left && box.top < bottom && box.bottom > top
      })
      .map((control) => control.outerHTML)
  })
  expect(covered).toEqual([])
}
