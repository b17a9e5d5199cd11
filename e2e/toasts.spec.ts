import { blockMember } from '#contract/members.ts'
import { bothSizes, expect, test } from './fixtures.ts'

interface Box {
  readonly y: number
  readonly height: number
}

/** Whether one is above the other, or below it. */
function isClear(one: Box, other: Box) {
  return one.y + one.height <= other.y || other.y + other.height <= one.y
}

test(
  'what is said in passing covers nothing that one writes a message with',
  bothSizes,
  async ({ garden }) => {
    const [ann, bob] = [await garden.member('ann'), await garden.member('bob')]
    const { page } = ann
    const toast = page.getByText(`${bob.username} is no longer blocked`)
    const send = page.getByRole('button', { name: 'Send' })
    for (const place of [`/seller/${bob.actor.id}`, `/messages/${bob.actor.id}`]) {
      await ann.actor.call(blockMember, { params: { id: bob.actor.id } })
      await page.goto(place)
      await page.getByRole('button', { name: `unblock ${bob.username}` }).click()
      await expect(send).toBeInViewport({ ratio: 1 })
      // It is held there by the pointer.
      await toast.hover()
      await expect(toast).toBeInViewport({ ratio: 1 })
      const [said, button] = [await toast.boundingBox(), await send.boundingBox()]
      expect(said !== null && button !== null && isClear(said, button), place).toBe(true)
      await toast.click()
      await expect(toast).toHaveCount(0)
    }
  },
)
