import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { sendRequest } from '#test/raw-http.ts'
import { newWorld } from '#test/world.ts'

const ann = {
  first_name: '<script>alert(1)</script>',
  last_name: 'Gardener',
  username: 'ann',
  email: 'ann@example.com',
  password: 'plum-crumble-42',
}

const world = await newWorld({
  config: { mail: { smtpUrl: undefined, from: 'hello@rhubarb.example' } },
})
afterAll(() => world[Symbol.asyncDispose]())
await world.guest().call(register, { body: ann })
await world.jobsDone()
const folder = join(world.dataDir, 'outbox')

test('without a mail server, stores mails on disk and shows them at /outbox', async () => {
  const guest = world.guest()
  const [file = '', ...others] = await readdir(folder)
  expect(others).toEqual([])
  const stored = JSON.parse(await readFile(join(folder, file), 'utf8'))
  expect(stored).toMatchObject({
    to: 'ann@example.com',
    subject: 'Welcome to Rhubarb',
    text: expect.stringContaining('Hello'),
  })

  expect((await stat(folder)).mode & 0o777).toBe(0o700)

  const list = await guest.send<Blob>('GET', '/outbox')
  const markup = await list.body.text()
  expect(list.status).toBe(200)
  expect(list.headers.get('cache-control')).toBe('no-store')
  expect(markup).toContain('ann@example.com')
  const [, path = ''] = /href="(\/outbox\/[^"]+)"/.exec(markup) ?? []

  const mail = await guest.send<Blob>('GET', path)
  const letter = await mail.body.text()
  expect(mail.status).toBe(200)
  expect(letter).toContain('&lt;script&gt;')
  expect(letter).not.toContain('<script>')
  expect(mail.headers.get('content-security-policy')).toContain('sandbox')
  expect(mail.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('deletes mails of the outbox after 30 days', async () => {
  const [file = ''] = await readdir(folder)
  const old = `2026-01-01T00-00-00-000Z-${crypto.randomUUID()}.json`
  await writeFile(join(folder, old), await readFile(join(folder, file)))
  await world.guest().call(register, { body: { ...ann, username: 'bob', email: 'bob@example.com' } })
  await world.jobsDone()

  const files = await readdir(folder)
  expect(files).toHaveLength(2)
  expect(files).not.toContain(old)
})

test('the outbox returns 404 for unknown and invalid names', async () => {
  for (const name of ['nothing', '..%2f..%2fetc%2fpasswd', '%00', 'a'.repeat(150)])
    expect(await world.guest().send('GET', `/outbox/${name}`)).toMatchObject({ status: 404 })
})

test('with a mail server, the outbox does not exist', async () => {
  await using world = await newWorld()
  const guest = world.guest()
  await guest.call(register, { body: ann })
  await world.jobsDone()

  expect(world.mailTo(ann)).toHaveLength(1)
  expect(await readdir(join(world.dataDir, 'outbox')).catch(() => [])).toEqual([])
  const { status, body } = await guest.send<Blob | object>('GET', '/outbox')
  // If the web client is built, it renders its page for unknown addresses.
  const text = body instanceof Blob ? await body.text() : JSON.stringify(body)
  expect([200, 404]).toContain(status)
  expect(text).not.toMatch(/Outbox|ann@example\.com|Welcome to Rhubarb/)
})

test('does not show the outbox through a proxy on the same machine', async () => {
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded']) {
    const headers = { host: 'localhost', [name]: name === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9' }
    expect((await sendRequest(world.url, 'GET', '/outbox', headers)).status, name).toBe(404)
  }
})

test('shows the outbox only for loopback host names', async () => {
  const [file = ''] = await readdir(folder)
  const paths = ['/outbox', `/outbox/${file.replace('.json', '')}`]

  for (const path of paths) {
    for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:3000'])
      expect((await sendRequest(world.url, 'GET', path, { host })).status, `${host}${path}`).toBe(200)
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'evil.example:3000',
      '127.0.0.1.evil.example',
      '127.0.0.1@evil.example',
      'localhost.',
      '128.0.0.1',
      '[::2]',
      '',
    ]) {
      const response = await sendRequest(world.url, 'GET', path, { host })
      expect(response.status, `${host}${path}`).toBe(404)
      expect(response.text).not.toContain('ann@example.com')
    }
  }
})
