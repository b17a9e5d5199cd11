import type { Page } from '@playwright/test'

/** Records what screen readers are told, because the next announcement replaces one. Returns a function that returns all texts so far. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle(() => {
    const heard: string[] = []
    const hear = () => {
      for (const region of document.querySelectorAll('[role="status"]')) heard.push(region.textContent ?? '')
    }
    new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true })
    return heard
  })
  return () => texts.jsonValue()
}
