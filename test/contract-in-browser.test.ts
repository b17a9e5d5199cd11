import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { savedSettings } from '#contract/site-settings.ts'
import { endpointsByName } from './endpoints.ts'

afterEach(() => vi.unstubAllGlobals())

test('no module of the client reads a part of an endpoint that its scripts lack', async () => {
  const names = [...(await endpointsByName()).keys()].join('|')
  const reads = new RegExp(`\\b(${names})\\.(summary|notFound|params|query|body|response)\\b`, 'g')
  const web = join(import.meta.dirname, '..', 'web')
  const found = globSync('**/*.{ts,tsx}', { cwd: web }).flatMap((file) =>
    [...readFileSync(join(web, file), 'utf8').matchAll(reads)].map(([text]) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['https://garden.example/swap?day=1', true],
  ['http://garden.example', true],
  ['https://ann@garden.example', false],
  ['https:\\\\ann:pw@garden.example', false],
  ['javascript:alert(1)', false],
  ['garden', false],
])('the form of the site checks the address %s in browsers without URL.parse', (banner_link, isRight) => {
  vi.stubGlobal('URL', Object.assign(class extends URL {}, { parse: undefined }))
  expect(savedSettings.safeParse({ banner_link, version: 0 }).success).toBe(isRight)
})
