// `npm run smoke-test`: sets up a production machine on loopback (docs/deployment.md) and runs checks and browser tests against it.
// `npm run smoke-test -- --journeys=e2e/friends.spec.ts` runs some of the browser tests, `--journeys=none` none.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startMailServer } from '#test/mail-server.ts'
import { findBrowser } from '../../scripts/browser.mjs'
import { environment, run } from '../../scripts/setup.mjs'
import { tryTheDoor } from './at-the-door.ts'
import { openMachine, say } from './machine.ts'
import { tryNewVersion } from './new-version.ts'
import { tryOpeningDay } from './opening-day.ts'
import { tryServerRendering } from './ssr.ts'

const { values } = parseArgs({ options: { journeys: { type: 'string', default: '' } } })

/** The browser tests that do not go through nginx, with the reasons. */
const elsewhere: Record<string, string> = {
  'e2e/components.spec.ts': 'it shows the components without a server',
  'e2e/site.spec.ts': 'it starts a node of its own, with the settings of another site',
}

/** Returns the given browser tests, or all that go through nginx. */
async function journeys(): Promise<string[]> {
  const named = values.journeys.split(',').filter(Boolean)
  if (named.length > 0) return named
  for (const [journey, reason] of Object.entries(elsewhere)) say(`  Not walked: ${journey}, for ${reason}`)
  const files = await readdir(join(import.meta.dirname, '..', '..', 'e2e'))
  return files
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => `e2e/${file}`)
    .filter((file) => !(file in elsewhere))
}

await using machine = await openMachine()

say('In production mode')
{
  const mails = await startMailServer()
  const settings = { SMTP_URL: mails.url }
  const nodes = await machine.startNodes(settings)
  await tryTheDoor(machine)
  await tryServerRendering(machine)
  await tryOpeningDay(machine, nodes, mails)
  const newer = await tryNewVersion(machine, nodes, settings)
  for (const node of newer) await node.stop()
  await mails.stop()
}

if (values.journeys !== 'none') {
  say('The browser journeys, on both nodes')
  // The tests log in more often from one address than the limits allow, and read the mails from the outbox.
  const nodes = await machine.startNodes({ NODE_ENV: 'test', RATE_LIMITS: 'off', SMTP_URL: '' })
  process.exitCode = await run('playwright', ['test', '--reporter=line', ...(await journeys())], {
    ...environment,
    CHROMIUM_PATH: await findBrowser(),
    NODE_EXTRA_CA_CERTS: machine.certificate,
    RHUBARB_URL: machine.url,
    RHUBARB_DATA: machine.dataDir,
    RHUBARB_DATABASE: machine.databaseUrl,
  })
  for (const node of nodes) await node.stop()
}
