import type { Locator, Page } from '@playwright/test'
import { categories, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing } from '#contract/listings.ts'
import { createWant } from '#contract/wants.ts'
import { type Account, expect } from './fixtures.ts'

/** Returns the cards of trades on the screen. */
export const card = (page: Page) => page.getByRole('main').getByRole('article')
/** Opens the details of a summary by the keyboard. Before hydration the press could be lost. */
export async function unfold(summary: Locator) {
  await expect(summary.page().locator('html')).not.toHaveAttribute('data-hydrating')
  await summary.press('Enter')
  await expect(summary.locator('..')).toHaveAttribute('open')
}

export const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true })

/** Posts a giveaway for friends, unless `more` says otherwise. */
export async function list(
  { actor }: Account,
  title: string,
  more: Partial<CallInput<typeof createListing>['body']> = {},
) {
  const body = { title, type_id: types.giveaway, category_id: categories.produce, is_public: false, ...more }
  const { id } = await actor.call(createListing, { body })
  return id
}

export function want({ actor }: Account, title: string) {
  return actor.call(createWant, { body: { title, category_id: categories.produce } })
}
