// `npm run dev` runs the site with Vite's development server, and restarts it when files of the server change.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { environment, findNode, install, root, terminationSignals } from './setup.mjs'

await install()
const server = spawn(
  await findNode(),
  [
    ...['server', 'contract', 'locales'].map((path) => `--watch-path=${path}`),
    '--watch-preserve-output',
    'scripts/dev-server.ts',
    String(await freePort()),
  ],
  { cwd: root, env: environment, stdio: 'inherit' },
)
for (const signal of terminationSignals) process.on(signal, () => server.kill('SIGTERM'))
server.once('exit', (code) => process.exit(code ?? 0))

async function freePort() {
  const probe = createServer()
  await once(probe.listen(0, '127.0.0.1'), 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' ? address?.port : undefined
}
