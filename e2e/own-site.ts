import { join } from 'node:path'
import { test } from './fixtures.ts'
import { startServer } from './global-setup.ts'

/** Gives the tests of a file a site of their own, because they change settings of the whole site. */
export function startOwnSite(log: string, settings: Record<string, string> = {}): void {
  const { env } = process
  const { RHUBARB_URL, RHUBARB_DATA } = env
  let site: Awaited<ReturnType<typeof startServer>>
  test.beforeAll(async () => {
    site = await startServer(settings, join(import.meta.dirname, '..', '.cache', log))
    Object.assign(env, { RHUBARB_URL: site.url, RHUBARB_DATA: site.dataDir })
  })
  test.afterAll(async () => {
    Object.assign(env, { RHUBARB_URL, RHUBARB_DATA })
    await site.stop()
  })
}
