import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutSchemas, withSchemasApart } from './vite-plugin.ts'

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

test('takes schemas from a second copy of the module, also those made with schemas of other modules', () => {
  const file = join(import.meta.dirname, '../../contract/things.ts')
  const code = withSchemasApart(
    `
      import { z } from 'zod/mini'
      import { hasFields, line } from './fields.ts'
      export const messages = { line: 'Too long', z: hasFields({}) }
      const title = line(80)
      export const newThing = { title }
      export function textUpTo(max) { return line(max) }
      export const amount = z.number()
      export const add = endpoint({ auth: 'member', path: '/things', messages })
    `,
    file,
  )
  const exported = [...code.matchAll(/export (?:const|function) (\w+)/g)].map(([, name]) => name)
  const apart = [...code.matchAll(/export \{ (\w+) \} from '(.+)'/g)].map(([, name, from]) => ({
    name,
    from,
  }))
  expect(exported).toEqual(['messages', 'add'])
  expect(apart).toEqual(['newThing', 'textUpTo', 'amount'].map((name) => ({ name, from: `${file}?schemas` })))
})
