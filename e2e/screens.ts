import { expect, type Page } from '@playwright/test'

/** A URL, and the texts that its screen shows in each state. */
export interface Screen {
  readonly at: string
  /** The text of the loaded screen. */
  readonly shows: string
  /** Words of the specification on the loaded screen that no other test looks for. */
  readonly words?: readonly string[]
  /** Text in the server's HTML, where the browser loads `shows` later. */
  readonly renders?: string
  /** The text when loading fails. Screens that load nothing have none. */
  readonly fails?: string
  /** The text of the empty screen. */
  readonly empty?: string
  /** Other screens show the same components, so only `npm run test:long` checks this one with axe. */
  readonly isVariant?: boolean
  /** Dialogs and menus to open on the loaded screen, one after the other. Escape closes each. */
  readonly more?: Readonly<Record<string, (page: Page) => Promise<unknown>>>
}

type Values = Readonly<Record<string, string>>

/** Returns the text of an English message in another language. */
export type Translate = (message: string, values: Values) => string

const inEnglish: Translate = (message, values) =>
  message.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

const translations = new WeakMap<Page, Translate>()

/** Makes what opens dialogs and fills in forms look for its texts in the language of the page. */
export function translateScreens(page: Page, translate: Translate) {
  translations.set(page, translate)
}

/** Returns the text of an English message in the language of the page. */
export function textIn(page: Page, message: string, values: Values = {}): string {
  return (translations.get(page) ?? inEnglish)(message, values)
}

/** Waits until the screen shows a text. */
export async function expectShown(page: Page, text: string) {
  await expect(page.getByRole('main').getByText(text).first()).toBeVisible()
}

/** Waits until the screen shows each of these words as a text or a label. */
export async function expectWords(page: Page, words: readonly string[]) {
  for (const word of words) {
    const text = textIn(page, word)
    const shown = page.getByText(text, { exact: true }).or(page.getByLabel(text, { exact: true }))
    await expect.soft(shown.filter({ visible: true }).first(), word).toBeVisible()
  }
}

/** Waits until no dialog is open and the current history entry belongs to none. Until then, a navigation can be aborted. */
export async function expectClosed(page: Page) {
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => history.state.dialog)).toBeUndefined()
}

/** Closes a dialog or menu by Escape. */
export async function closeDialog(page: Page) {
  await page.keyboard.press('Escape')
  await expectClosed(page)
}

/** Returns a button of the screen. */
export const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })

/** Returns the button of the screen with an English name. */
export const namedButton = (page: Page, name: string, values?: Values) =>
  button(page, textIn(page, name, values))

/** Returns the field of the screen with an English label. */
export const field = (page: Page, label: string) => page.getByLabel(textIn(page, label))

const press = (page: Page, name: string) => namedButton(page, name).click()

/** Opens a dialog by a button. */
export const openDialog = (name: string) => async (page: Page) => {
  await press(page, name)
  await expect(page.getByRole('dialog')).toBeVisible()
}

/** Presses a button of the open dialog. */
export const submitDialog = (page: Page, name: string) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: textIn(page, name), exact: true })
    .click()

/** Submits a form with an invalid field. */
export const submitInvalid = (name: string) => async (page: Page) => {
  await press(page, name)
  await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible()
}

/** Fills in an invalid text and submits the form. */
export const submitInvalidWith = (label: string, text: string, name: string) => async (page: Page) => {
  await field(page, label).fill(text)
  await submitInvalid(name)(page)
}
