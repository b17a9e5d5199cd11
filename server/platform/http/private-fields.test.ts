import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { allEndpoints } from '#test/endpoints.ts'

/** Fields that only their owner and the desk may read. The endpoints below answer nobody else. */
const secrets = /^(email|last_name|first_name|address|apt|password|password_hash|token_hash|hash)$/
const ownersOrDesks = new Set([
  'GET /desk/members',
  'GET /desk/members/{id}',
  'POST /desk/members/{id}/actions',
  'GET /desk/registration-requests',
  'POST /auth/register',
  'POST /auth/login',
  'GET /auth/profile',
  'PUT /auth/profile',
  'POST /auth/upload-profile-image',
  // Its token comes by mail, so only the owner of the address has it.
  'POST /auth/reset-password/account',
  // Operators see which addresses take no mail.
  'GET /desk/mail',
])

/** Returns the names of all fields of a schema, including nested ones. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, ...rest } = schema as { properties?: Record<string, unknown> }
  const deeper = [...Object.values(properties), ...Object.values(rest)]
  return [...Object.keys(properties), ...deeper.flatMap(fieldsOf)]
}

function responseFieldsOf({ response }: Endpoint): string[] {
  return Object.values(response).flatMap((response) =>
    typeof response === 'string'
      ? []
      : fieldsOf(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' })),
  )
}

test('no response schema has a private field of another member', async () => {
  const leaks = (await allEndpoints())
    .filter(({ method, path }) => !ownersOrDesks.has(`${method} ${path}`))
    .flatMap((endpoint) =>
      responseFieldsOf(endpoint).map((field) => `${endpoint.method} ${endpoint.path} ${field}`),
    )
    .filter((field) => secrets.test(field.split(' ')[2] ?? ''))
  expect(leaks).toEqual([])
})

test('no response schema has a hash', async () => {
  const fields = (await allEndpoints()).flatMap(responseFieldsOf)
  expect(fields).toContain('email')
  expect(fields.filter((field) => /hash/.test(field))).toEqual([])
})
