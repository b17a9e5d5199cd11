import { expect, test } from 'vitest'
import { parseRedirectTarget } from './redirect-target.ts'

test.each([
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/a/..//evil.example',
  '/\t/evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/',
  '',
  42,
])('ignores the redirect %j after a login', (next) => {
  expect(parseRedirectTarget({ next }).next).toBeUndefined()
})

test.each(['/listings/7', '/listings?q=kale#top', '/login//x'])('redirects to %s after a login', (next) => {
  expect(parseRedirectTarget({ next }).next).toBe(next)
})
