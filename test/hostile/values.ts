import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod/mini'

type Schema = z.core.JSONSchema.BaseSchema

/** Generates text with lone surrogates, control characters, combining marks and injection attempts. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme-composite', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\r\nBcc: everyone@example.com',
    "'; drop table users; --",
    '#{7*7}{{7*7}}<%= 7*7 %>',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '../../../../etc/passwd',
    '%00%0d%0a%2e%2e%2f',
    '\u202e\u2028\ufeff',
    '9'.repeat(400),
    '1e400',
    '-0',
    'NaN',
    'null',
    'true',
    '(a+)+$',
    'a'.repeat(5000),
    '\ud800',
    `${'a'.repeat(40)}@${'a.'.repeat(120)}b`,
    '@'.repeat(200),
  ),
)

/** Generates JSON values. */
export const anyValue: Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(Number),
  fc.constantFrom<unknown>(
    null,
    true,
    [],
    {},
    [[]],
    { $ne: null },
    { length: 5 },
    { toString: 1 },
    -1,
    0,
    1.5,
  ),
)

/** Field names that a client might try to store. */
const tempting = fc.constantFrom(
  'id',
  'owner_id',
  'user_id',
  'is_admin',
  'role',
  'suspended_at',
  'hidden_at',
  'password_hash',
  'email_confirmed_at',
  'constructor',
  'toString',
  'hasOwnProperty',
)

/** Generates values that are similar to valid ones of a schema. */
function likely(schema: Schema): Arbitrary<unknown> {
  const { type, enum: names, anyOf, maxLength = 12, minLength = 0, items, properties } = schema
  if (anyOf) return fc.oneof(...anyOf.map((each) => likely(each as Schema)))
  if (names) return fc.constantFrom(...names)
  if (schema.const !== undefined) return fc.constant(schema.const)
  switch (type) {
    case 'string':
      return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) })
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 12 }), fc.maxSafeInteger())
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(typeof items === 'object' ? likely(items as Schema) : anyValue, { maxLength: 4 })
    case 'object':
      return fc.record(fieldsOf({ properties }), { requiredKeys: [] })
    default:
      return anyValue
  }
}

function fieldsOf({
  properties = {},
}: {
  properties?: Schema['properties'] | undefined
}): Record<string, Arbitrary<unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      fc.oneof({ weight: 3, arbitrary: likely(field as Schema) }, { weight: 1, arbitrary: anyValue }),
    ]),
  )
}

/** Generates values that a schema nearly accepts: at least one field is wrong, others are missing or unknown. */
export function misfits(schema: z.ZodMiniType): Arbitrary<unknown> {
  const fields = fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)
  const names = Object.keys(fields)
  const close = fc
    .tuple(
      fc.record(fields, { requiredKeys: [] }),
      fc.dictionary(tempting, anyValue, { maxKeys: 2 }),
      names.length > 0 ? fc.dictionary(fc.constantFrom(...names), anyValue, { maxKeys: 3 }) : fc.constant({}),
    )
    .map((parts): unknown => Object.assign({}, ...parts))
  return fc
    .oneof({ weight: 6, arbitrary: close }, { weight: 1, arbitrary: anyValue })
    .filter((value) => !schema.safeParse(asSent(value)).success)
}

function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Generates texts of URLs and forms. */
export const anyPart: Arbitrary<string> = fc.oneof(
  anyText,
  anyValue.map((value) => JSON.stringify(value)),
)
