import { expect, type Page } from '@playwright/test'
import type { Actor } from '#test/actor.ts'

/** Returns the cookie by which the server renders a page for this member. */
export function loginCookie({ token = '' }: Actor, baseURL = '') {
  const isSecure = baseURL.startsWith('https:')
  return { name: `${isSecure ? '__Host-' : ''}login`, value: token, url: baseURL, secure: isSecure }
}

/** Fetches a page until its markup contains a text, and returns it. The server renders a page without data that takes more than 150 ms. */
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
