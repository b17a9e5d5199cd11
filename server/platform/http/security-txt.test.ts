import { afterAll, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('security.txt says where to report a flaw, and is valid for a year at most', async () => {
  const response = await fetch(`${world.url}/.well-known/security.txt`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const fields = Object.fromEntries((await response.text()).split('\n').map((line) => line.split(/: (.*)/)))
  expect(fields).toMatchObject({
    Contact: 'mailto:hello@rhubarb.example',
    Canonical: 'https://rhubarb.test/.well-known/security.txt',
  })
  const days = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(364)
  expect(days).toBeLessThan(367)
})
