import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpointsByName } from './endpoints.ts'

test('no module of the client reads a part of an endpoint that its scripts lack', async () => {
  const names = [...(await endpointsByName()).keys()].join('|')
  const reads = new RegExp(`\\b(${names})\\.(summary|notFound|params|query|body|response)\\b`, 'g')
  const web = join(import.meta.dirname, '..', 'web')
  const found = globSync('**/*.{ts,tsx}', { cwd: web }).flatMap((file) =>
    [...readFileSync(join(web, file), 'utf8').matchAll(reads)].map(([text]) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})
