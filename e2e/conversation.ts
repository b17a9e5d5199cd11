import type { Page } from '@playwright/test'
import { sendMessage } from '#contract/messages.ts'
import type { Account } from './fixtures.ts'

export const composer = (page: Page) => page.getByPlaceholder('Type a message…')
export const log = (page: Page) => page.getByRole('log')

/** Sends a message by the API. */
export function write({ actor }: Account, to: Account, content: string) {
  return actor.call(sendMessage, { body: { receiver_id: to.actor.id, content } })
}

/** Types a message and sends it by the Enter key. */
export async function say(page: Page, words: string) {
  await composer(page).fill(words)
  await composer(page).press('Enter')
}

/** Returns by how many pixels the page is higher than the window. */
export function overflow(page: Page) {
  return page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
}
