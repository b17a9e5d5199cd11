import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment, root } from './setup.mjs'

/** Starts a server with the demo data on a new database. Returns its URL and the login that it prints. */
export async function startDemo(port: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rhubarb-demo-'))
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...environment, DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  async function stop() {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await rm(dataDir, { recursive: true, force: true })
  }
  let url: string | undefined
  for await (const line of createInterface(server.stdout)) {
    url ??= /ready at (\S+)/.exec(line)?.[1]
    const [, email, password] = /as (\S+) with the password (\S+)/.exec(line) ?? []
    if (url && email && password) return { url, email, password, [Symbol.asyncDispose]: stop }
  }
  await stop()
  throw new Error('Rhubarb did not start')
}
