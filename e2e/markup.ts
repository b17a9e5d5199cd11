import { expect, type Page } from '@playwright/test'
import type { Actor } from '#test/actor.ts'

/** Returns the cookie that tells the server whose page it renders. */
export function loginCookie({ token = '' }: Actor, baseURL = '') {
  const isSecure = baseURL.startsWith('https:')
  return { name: `${isSecure ? '__Host-' : ''}login`, value: token, url: baseURL, secure: isSecure }
}

/** Fetches a page until its markup shows a text, and returns it. On a busy machine its data may be late, so that it comes without. */
export async function expectInMarkup({ request }: Page, path: string, text: string): Promise<string> {
  let last = ''
  const markup = async () => {
    const response = await request.get(path)
    expect(response.headers()['cache-control']).toBe('private, no-store')
    last = (await response.text()).replaceAll(/<script\b.*?<\/script>|<!-- -->|<wbr\/>/gs, '')
    return last
  }
  await expect.poll(markup, { message: path }).toContain(text)
  return last
}
