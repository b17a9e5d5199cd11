import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { limits } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { clientEvents } from '#contract/realtime.ts'
import { allEndpoints } from '#test/endpoints.ts'

type Json = z.core.JSONSchema.BaseSchema

/** Returns a value with the text for every string of a schema, with the limit of that string. */
function textsOf(schema: Json, text: string): { name: string; value: unknown; max: number }[] {
  const { type, anyOf, allOf, properties, items } = schema
  const alternatives = [...(anyOf ?? []), ...(allOf ?? [])] as Json[]
  const texts = alternatives.flatMap((alternative) => textsOf(alternative, text))
  if (type === 'string') texts.push({ name: '', value: text, max: schema.maxLength ?? Infinity })
  if (type === 'array' && items) {
    for (const inner of textsOf(items as Json, text))
      texts.push({ ...inner, name: `[]${inner.name}`, value: [inner.value] })
  }
  for (const [field, property] of Object.entries(properties ?? {})) {
    for (const inner of textsOf(property as Json, text))
      texts.push({ ...inner, name: `.${field}${inner.name}`, value: { [field]: inner.value } })
  }
  return texts
}

interface Input {
  readonly name: string
  readonly schema: z.ZodMiniType
}

const inputs: Input[] = [
  ...(await allEndpoints()).flatMap((endpoint: Endpoint) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = endpoint[part]
      return schema ? [{ name: `${part} of ${endpoint.method} ${endpoint.path}`, schema }] : []
    }),
  ),
  ...Object.entries(clientEvents).map(([event, schema]) => ({ name: `event ${event}`, schema })),
]
const jsonOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

afterEach(() => vi.restoreAllMocks())

/** Returns the number of normalized UTF-16 units and the length of their longest run of combining marks. */
function countNormalized(schema: z.ZodMiniType, value: unknown) {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const { success } = schema.safeParse(value)
  const texts = normalize.mock.contexts.map(String)
  normalize.mockRestore()
  const marks = texts.flatMap((text) => text.match(/\p{M}+/gu) ?? []).map((run) => [...run].length)
  return {
    success,
    units: texts.reduce((sum, text) => sum + text.length, 0),
    longestRun: Math.max(0, ...marks),
  }
}

/** More characters than any field accepts before it is normalized. */
const overlong = 4 * limits.sitePage

test.each(inputs)('refuses overlong text by its raw length without normalizing it: $name', ({ schema }) => {
  for (const unit of ['\u0301\u0316', 'a', '\u1e9b\u0323', '\ufdfa', ' ']) {
    const text = unit.repeat(overlong / unit.length)
    for (const { name, value } of textsOf(jsonOf(schema), text))
      expect(countNormalized(schema, value).units, name).toBe(0)
  }
})

test.each(inputs)(
  'does not normalize long runs of combining marks, which takes quadratic time: $name',
  ({ schema }) => {
    for (const { max } of textsOf(jsonOf(schema), '')) {
      if (max === Infinity) continue
      const text = `a${'\u0301\u0316'.repeat(Math.floor((3 * max - 1) / 2))}`
      for (const { name, value } of textsOf(jsonOf(schema), text))
        expect(countNormalized(schema, value).longestRun, name).toBeLessThanOrEqual(30)
    }
  },
)

test('accepts up to three times the limit of raw text if it is short enough when normalized', () => {
  const [field] = inputs.filter(({ name }) => name === 'body of POST /auth/register')
  const member = {
    last_name: 'Gardener',
    username: 'ann',
    email: 'ann@example.com',
    password: 'plum-crumble-42',
  }
  const parse = (first_name: string) => field?.schema.safeParse({ ...member, first_name })

  // Three units that are composed to one.
  expect(parse('\u006f\u0302\u0301'.repeat(60))).toMatchObject({ success: true })
  expect(parse('\u006f\u0302\u0301'.repeat(61))).toMatchObject({ success: false })
  expect(parse(`${' '.repeat(177)}Ann`)).toMatchObject({ success: true })
  expect(parse(`${' '.repeat(178)}Ann`)).toMatchObject({ success: false })
  expect(parse(`A${'\u0301'.repeat(29)}nn`)).toMatchObject({ success: true })
})
