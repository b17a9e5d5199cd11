// `npm run rehearse`: sets up a production machine on loopback (docs/deployment.md), tries it, and walks the browser journeys through it.
// `npm run rehearse -- --journeys=e2e/friends.spec.ts` walks some of them; `--journeys=none` none.
import { parseArgs } from 'node:util'
import { startMailServer } from '#test/mail-server.ts'
import { findBrowser } from '../../scripts/browser.mjs'
import { environment, run } from '../../scripts/setup.mjs'
import { openMachine, say } from './machine.ts'
import { tryOpeningDay } from './opening-day.ts'

const { values } = parseArgs({ options: { journeys: { type: 'string', default: '' } } })

await using machine = await openMachine()

say('In production mode')
{
  const mails = await startMailServer()
  const nodes = await machine.startNodes({ SMTP_URL: mails.url })
  await tryOpeningDay(machine, nodes, mails)
  for (const node of nodes) await node.stop()
  await mails.stop()
}

if (values.journeys !== 'none') {
  say('The browser journeys, on both nodes')
  // They try more logins from one address than a neighborhood does, and read the mails where they are kept.
  const nodes = await machine.startNodes({ NODE_ENV: 'test', RATE_LIMITS: 'off', SMTP_URL: '' })
  process.exitCode = await run(
    'playwright',
    ['test', '--reporter=line', ...values.journeys.split(',').filter(Boolean)],
    {
      ...environment,
      CHROMIUM_PATH: await findBrowser(),
      NODE_EXTRA_CA_CERTS: machine.certificate,
      RHUBARB_URL: machine.url,
      RHUBARB_DATA: machine.dataDir,
      RHUBARB_DATABASE: machine.databaseUrl,
    },
  )
  for (const node of nodes) await node.stop()
}
