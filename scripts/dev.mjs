// `npm run dev` rebuilds the web client and restarts the server when files change.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildWeb, environment, findNode, install, root, terminationSignals } from './setup.mjs'

await install()
// The server needs a complete build when it starts.
await buildWeb()
const node = await findNode()
const vite = join(root, 'node_modules/vite/bin/vite.js')
const programs = [
  // The server uses the files of the last build until the next one is complete.
  [vite, 'build', '--watch', '--emptyOutDir=false', '--logLevel', 'warn'],
  [
    ...['server', 'contract', 'dist'].map((path) => `--watch-path=${path}`),
    '--watch-preserve-output',
    'server/main.ts',
  ],
].map((args) => spawn(node, args, { cwd: root, env: environment, stdio: 'inherit' }))

const stop = () => {
  for (const program of programs) program.kill('SIGTERM')
}
for (const signal of terminationSignals) process.on(signal, stop)
for (const program of programs) program.once('exit', stop)
