import { expect, test } from './fixtures.ts'

for (const [path, type] of [
  ['/favicon.ico', 'image/vnd.microsoft.icon'],
  ['/apple-touch-icon.png', 'image/png'],
] as const) {
  test(`serves ${path}, which browsers request on their own`, async ({ request }) => {
    const response = await request.get(path)
    expect(response.status()).toBe(200)
    expect(response.headers()['content-type']).toBe(type)
    expect((await response.body()).length).toBeGreaterThan(1000)
  })
}
