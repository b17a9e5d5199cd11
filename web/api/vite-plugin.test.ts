import { expect, test } from 'vitest'
import { withoutSchemas } from './vite-plugin.ts'

test('keeps the parts of endpoints that a call needs, and tags of responses instead of schemas', () => {
  const code = withoutSchemas(
    `
      import { endpoint, z } from './schemas.ts'
      const id = z.int().check(z.positive())
      const one = { auth: 'member', params: z.object({ id }), notFound: 'Not found' }
      export const remove = endpoint({ ...one, method: 'DELETE', path: '/things/{id}', response: { 204: 'nothing' } })
      export const read = endpoint({ ...one, method: 'GET', path: '/things', query: z.object({}), response: { 200: z.array(z.int()) } })
    `,
    'things.ts',
  )
  const run = new Function(
    'endpoint',
    `${code
      .replace(/import .*/, '')
      .replaceAll('export ', '')
      .replace(/const id = .*/, '')}; return { remove, read }`,
  )
  expect(run((definition: unknown) => definition)).toEqual({
    remove: { auth: 'member', method: 'DELETE', path: '/things/{id}', response: { 204: 'nothing' } },
    read: { auth: 'member', method: 'GET', path: '/things', response: { 200: 'json' } },
  })
})
