import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { photo } from '#test/pictures.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const temporary = await mkdtemp(join(tmpdir(), 'rhubarb-forms-'))
vi.stubEnv('TMPDIR', temporary)
const world = await newWorld()
const [ann] = await world.members('ann')
const picture = Buffer.from(await (await photo()).arrayBuffer())
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true, force: true })
})

afterEach(async () => {
  expect(await ann.try(getProfile)).toMatchObject({ status: 200 })
  const { numDeletedRows } = await world.db.deleteFrom('listings').executeTakeFirstOrThrow()
  expect(Number(numDeletedRows)).toBe(0)
  await expect.poll(leftovers).toEqual([])
  expect(world.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([])
})

/** Returns the temporary files of uploads. */
async function leftovers() {
  return (await readdir(temporary)).filter((name) => name.startsWith('rhubarb-upload'))
}

const boundary = 'fence'
const authorization = `Bearer ${ann.token}`
const multipart = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` }
const end = `--${boundary}--\r\n`

function part(disposition: string, value: string | Buffer, more = ''): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')])
}
const field = (name: string, value: string) => part(`name="${name}"`, value)
const file = (name: string, bytes: Buffer = picture) =>
  part(`name="${name}"; filename="photo.jpg"`, bytes, 'Content-Type: image/jpeg\r\n')
const notUtf8 = Buffer.from('Be\xffans', 'latin1')
const nameNotUtf8 = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="a\xff"\r\n\r\nx\r\n`,
  'latin1',
)
const fileNotUtf8 = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="other"; filename="a\xc3.jpg"\r\nContent-Type: image/jpeg\r\n\r\nx\r\n`,
  'latin1',
)
const fine = [field('title', 'Beans'), field('type_id', String(types.giveaway))]
const form = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((each) => Buffer.from(each)))

function expectRefusal(response: Awaited<ReturnType<typeof sendRequest>>, status: number) {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  const { detail } = JSON.parse(response.text)
  expect(detail).toMatch(/^[A-Z].{5,}/)
  expect(detail).not.toMatch(/undefined|Invalid input|Error|node:|busboy|boundary|prototype/i)
}

describe('a multipart form is refused and stores nothing if', () => {
  test.each<[string, number, Buffer, Record<string, string>?]>([
    ['it has no boundary', 400, form(...fine, end), { 'content-type': 'multipart/form-data' }],
    ['its boundary is empty', 400, form(...fine, end), { 'content-type': 'multipart/form-data; boundary=' }],
    [
      'its boundary is a different one',
      400,
      form(...fine, end),
      { 'content-type': 'multipart/form-data; boundary=hedge' },
    ],
    ['it is JSON', 400, Buffer.from('{"title":"Beans"}')],
    ['it is empty', 422, Buffer.alloc(0)],
    ['it has no parts', 422, form(end)],
    ['it has no end', 400, form(...fine)],
    ['it ends in a part', 400, form(...fine, part('name="price"', '1').subarray(0, -3))],
    ['it ends in a file', 400, form(...fine, file('image').subarray(0, -500))],
    ['a part has no headers', 422, form(`--${boundary}\r\n\r\nBeans\r\n`, end)],
    ['a part has a malformed header', 422, form(`--${boundary}\r\n: :\u0000\r\n\r\nBeans\r\n`, end)],
    ['a field comes twice', 400, form(...fine, field('title', 'Peas'), end)],
    ['the photo comes twice', 400, form(...fine, file('image'), file('image'), end)],
    ['the photo is a text field', 422, form(field('image', 'photo.jpg'), field('title', 'B'), end)],
    ['a text field is a file', 422, form(file('title'), field('type_id', '3'), end)],
    ['a field is called __proto__', 400, form(...fine, field('__proto__', 'x'), end)],
    ['a file is called constructor', 400, form(...fine, file('constructor'), end)],
    [
      'there are too many fields',
      413,
      form(...Array.from({ length: 60 }, (_, n) => field(`f${n}`, 'x')), end),
    ],
    [
      'there are too many files',
      413,
      form(...fine, ...Array.from({ length: 9 }, (_, n) => file(`f${n}`)), end),
    ],
    ['a field is too long', 413, form(field('title', 'a'.repeat(70_000)), end)],
    [
      'a field is JSON of several values',
      400,
      form(part('name="title"', '{"a":1}', 'Content-Type: application/json\r\n'), end),
    ],
    [
      'a field is broken JSON',
      400,
      form(part('name="title"', '{"a":', 'Content-Type: application/json\r\n'), end),
    ],
    ['a field holds NUL', 422, form(field('title', 'Be\u0000ans'), field('type_id', '3'), end)],
    ['a field is not UTF-8', 400, form(part('name="title"', notUtf8), field('type_id', '3'), end)],
    [
      'a field that names its charset is not UTF-8',
      400,
      form(part('name="title"', notUtf8, 'Content-Type: text/plain; charset=utf-8\r\n'), end),
    ],
    ['the name of a field is not UTF-8', 400, form(...fine, nameNotUtf8, end)],
    ['the name of a file is not UTF-8', 400, form(...fine, fileNotUtf8, end)],
    ['a number is not finite', 422, form(field('title', 'Beans'), field('price', '1e400'), end)],
    ['a number is a word', 422, form(field('title', 'Beans'), field('price', 'Infinity'), end)],
    ['a boolean is a word', 422, form(...fine, field('is_public', 'yes'), end)],
    ['it breaks a rule', 422, form(...fine, field('description', 'a'.repeat(1001)), file('image'), end)],
  ])('%s', async (_, status, body, headers = {}) => {
    for (const path of [
      '/api/listings/',
      ...(body.includes('"image"') ? [] : ['/api/auth/upload-profile-image']),
    ]) {
      const response = await sendRequest(world.url, 'POST', path, { ...multipart, ...headers }, body)

      // Every field of a profile is optional, so a form that only lacks a title is valid there.
      if (path.includes('profile') && status === 422) expect(response.status).toBeLessThan(500)
      else expectRefusal(response, status)
    }
  })

  test('its sender disconnects during the photo', async () => {
    const head = [
      'POST /api/listings HTTP/1.1',
      `host: ${new URL(world.url).host}`,
      `authorization: ${authorization}`,
      `content-type: ${multipart['content-type']}`,
      'content-length: 1000000',
      '\r\n',
    ].join('\r\n')
    const { hostname, port } = new URL(world.url)
    const sender = connect({ host: hostname, port: Number(port) })
    sender.write(Buffer.concat([Buffer.from(head), form(...fine, file('image').subarray(0, 3000))]))
    await expect.poll(leftovers).toHaveLength(1)
    sender.destroy()
  })
})

test('ignores files in unknown fields and empty files', async () => {
  const response = await sendRequest(
    world.url,
    'POST',
    '/api/listings',
    multipart,
    form(...fine, file('picture'), file('image', Buffer.alloc(0)), end),
  )

  expect(response.status).toBe(201)
  expect(JSON.parse(response.text)).toMatchObject({ title: 'Beans', image: null })
  await world.db.deleteFrom('listings').execute()
})

describe('a login form is refused if', () => {
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
  test.each<[string, number, string | Buffer, Record<string, string>?]>([
    ['it is not UTF-8', 400, Buffer.from('username=ann@example.com&password=a\xff', 'latin1')],
    ['a field comes twice', 422, 'username=ann@example.com&username=bob@example.com&password=x'],
    ['a field is a list', 422, 'username[]=ann@example.com&password[]=x'],
    ['a field is an object', 422, 'username[$ne]=x&password[$ne]=x'],
    ['it has only separators', 422, '&&&==&&'],
    ['its escapes are broken', 422, 'username=%zz&password=%'],
    ['it holds NUL', 422, 'username=ann%00@example.com&password=x'],
    ['its fields are named like prototypes', 422, '__proto__=x&constructor=y'],
    ['a password is far too long', 422, `username=ann@example.com&password=${'a'.repeat(60_000)}`],
    ['it exceeds the limit', 413, `username=ann@example.com&password=${'a'.repeat(70_000)}`],
    [
      'its type is JSON',
      415,
      '{"username":"ann@example.com","password":"x"}',
      { 'content-type': 'application/json' },
    ],
    [
      'its type is application/octet-stream',
      415,
      'username=ann@example.com',
      { 'content-type': 'application/octet-stream' },
    ],
  ])('%s', async (_, status, body, headers = urlencoded) => {
    expectRefusal(await sendRequest(world.url, 'POST', '/api/auth/login', headers, body), status)
  })
})
