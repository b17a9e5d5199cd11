import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#test/free-port.ts'

const root = join(import.meta.dirname, '..')
const serverLog = join(root, '.cache', 'e2e-server.log')
const startTimeoutMs = 120_000

/**
 * Starts the built product on an empty database and sets `RHUBARB_URL` and `RHUBARB_DATA` for the tests. Does nothing if
 * `npm run smoke-test` has set them for a running server.
 */
// biome-ignore lint/style/noDefaultExport: Playwright asks for one
export default async function globalSetup() {
  // biome-ignore lint/style/noProcessEnv: `npm run smoke-test` sets it
  if (process.env.RHUBARB_URL !== undefined) return
  if (!existsSync(join(root, 'dist/ssr/server.js'))) {
    throw new Error('The web client is not built. Build it with: npx vite build')
  }
  const { url, dataDir, stop } = await startServer()
  // biome-ignore lint/style/noProcessEnv: a global setup passes values to the workers this way
  Object.assign(process.env, { RHUBARB_URL: url, RHUBARB_DATA: dataDir })
  return stop
}

/** Starts another server with its own database and settings. `site` is the folder of its code. */
export async function startServer(settings: Record<string, string> = {}, logFile = serverLog, site = root) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rhubarb-e2e-'))
  const port = await freePort()
  const server = await start({ ...settings, PORT: String(port), DATA_DIR: dataDir }, logFile, site)
  const url = `http://localhost:${port}`
  await ready(server, url, logFile)

  async function stop() {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url, dataDir, stop, [Symbol.asyncDispose]: stop }
}

async function start(settings: Record<string, string>, logFile: string, site: string): Promise<ChildProcess> {
  await mkdir(join(root, '.cache'), { recursive: true })
  const log = createWriteStream(logFile)
  await once(log, 'open')
  return spawn(node, ['--import', './test/cheap-passwords.ts', 'server/main.ts'], {
    cwd: site,
    env: environment(settings),
    stdio: ['ignore', log, log],
  })
}

/** Runs an administration command of the operator against the running server's database. */
export async function administer(dataDir: string, command: string, argument: string) {
  await promisify(execFile)(node, ['server/admin.ts', command, argument], {
    cwd: root,
    // biome-ignore lint/style/noProcessEnv: see above
    env: environment({ DATA_DIR: dataDir, DATABASE_URL: process.env.RHUBARB_DATABASE ?? '' }),
  })
}

const pinned = join(root, 'node_modules/.bin/node')
export const node = existsSync(pinned) ? pinned : process.execPath

/** Returns the environment of the tests with the settings of the server. */
function environment(settings: Record<string, string>) {
  // biome-ignore lint/style/noProcessEnv: see above
  return { ...process.env, ...defaults, ...settings }
}

const defaults = {
  NODE_ENV: 'test',
  DATABASE_URL: '',
  PUBLIC_URL: '',
  SMTP_URL: '',
  METRICS_PORT: 'off',
  DEMO_DATA: 'off',
  RATE_LIMITS: 'off',
  PUSH_SERVICES: 'push.example.org',
  // Differs from the browser's, which the server does not have.
  TZ: 'Asia/Tokyo',
}

async function ready(server: ChildProcess, url: string, logFile: string) {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline && server.exitCode === null) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  server.kill('SIGKILL')
  throw new Error(`The server did not start; ${logFile} says why`)
}
