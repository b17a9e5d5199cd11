// `npm run smoke-test`: sets up a production machine on loopback (docs/deployment.md) and runs checks and browser tests against it.
// `npm run smoke-test -- --browser-tests=e2e/friends.spec.ts` runs some of the browser tests, `--browser-tests=none` none.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startMailServer } from '#test/mail-server.ts'
import { findBrowser } from '../../scripts/browser.mjs'
import { environment, run } from '../../scripts/setup.mjs'
import { checkDeployment } from './deployment.ts'
import { openMachine } from './machine.ts'
import { checkProxyAttacks } from './proxy-attacks.ts'
import { checkRollingUpdate } from './rolling-update.ts'
import { checkServerRendering } from './ssr.ts'

const { values } = parseArgs({ options: { 'browser-tests': { type: 'string', default: '' } } })

/** The browser tests that do not go through nginx, with the reasons. */
const excluded: Record<string, string> = {
  'e2e/components.spec.ts': 'it shows the components without a server',
}

/** Returns the given browser tests, or all that go through nginx. */
async function browserTests(): Promise<string[]> {
  const given = values['browser-tests'].split(',').filter(Boolean)
  if (given.length > 0) return given
  for (const [spec, reason] of Object.entries(excluded)) console.log(`  Not run: ${spec}, because ${reason}`)
  const files = await readdir(join(import.meta.dirname, '..', '..', 'e2e'))
  return files
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => `e2e/${file}`)
    .filter((file) => !(file in excluded))
}

await using machine = await openMachine()

console.log('In production mode')
{
  const mails = await startMailServer()
  const settings = { SMTP_URL: mails.url }
  const nodes = await machine.startNodes(settings)
  await checkProxyAttacks(machine)
  await checkServerRendering(machine)
  await checkDeployment(machine, nodes, mails)
  const newer = await checkRollingUpdate(machine, nodes, settings)
  for (const node of newer) await node.stop()
  await mails.stop()
}

if (values['browser-tests'] !== 'none') {
  console.log('The browser tests, on both nodes')
  // The tests log in more often from one address than the limits allow, and read the mails from the outbox.
  const nodes = await machine.startNodes({ NODE_ENV: 'test', RATE_LIMITS: 'off', SMTP_URL: '' })
  process.exitCode = await run('playwright', ['test', '--reporter=line', ...(await browserTests())], {
    ...environment,
    CHROMIUM_PATH: await findBrowser(),
    NODE_EXTRA_CA_CERTS: machine.certificate,
    RHUBARB_URL: machine.url,
    RHUBARB_DATA: machine.dataDir,
    RHUBARB_DATABASE: machine.databaseUrl,
  })
  for (const node of nodes) await node.stop()
}
