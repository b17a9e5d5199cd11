import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { bareSettings, readyUrl } from '#test/bare-server.ts'
import { type OwnCore, processorSeconds } from './cores.ts'
import type { LoadOptions } from './load.ts'
import type { Sample } from './sample.ts'

const root = join(import.meta.dirname, '..')

/** A server process on 127.0.0.1. */
export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

const startTimeoutMs = 60_000
const stopTimeoutMs = 6000

/** Starts the server on a database like in production, with one process and the default pool, but without rate limits. */
export function startServer(
  databaseUrl: string,
  ownCore: OwnCore,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startProgram('server/main.ts', ownCore, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(root, '.cache', 'bench', 'data'),
    ...bareSettings,
    ...settings,
  })
}

/** Starts a program and waits until it prints its URL. */
export async function startProgram(
  program: string,
  ownCore: OwnCore,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const [command = '', ...args] = [...ownCore, process.execPath, program]
  const server = spawn(command, args, {
    cwd: root,
    env: { ...childEnvironment, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  server.once('exit', () => process.off('exit', kill))
  const url = await Promise.race([waitForAddress(server), sleep(startTimeoutMs, undefined, { ref: false })])
  if (url === undefined || server.pid === undefined) {
    server.kill('SIGKILL')
    throw new Error(`${program} did not start within ${startTimeoutMs / 1000} s. Its errors are above.`)
  }
  return { url, port: Number(new URL(url).port), pid: server.pid, stop: () => stop(server) }
}

async function waitForAddress(server: ChildProcess): Promise<string | undefined> {
  if (!server.stdout) return undefined
  for await (const line of createInterface({ input: server.stdout })) {
    const url = readyUrl(line)
    if (url !== undefined) {
      server.stdout.resume()
      return url
    }
  }
  return undefined
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  await Promise.race([exit, sleep(stopTimeoutMs, undefined, { ref: false })])
  server.kill('SIGKILL')
}

/** The number of different requests per connection. */
const requestsPerConnection = 500

/** Loads the server from a child process with random requests of alternating members. */
export async function runHttp(
  path: () => string,
  { port, pid }: ServerProcess,
  tokens: readonly string[],
  {
    connections,
    seconds,
    leadInSeconds = 0,
    acceptEncoding = 'identity',
  }: { connections: number; seconds: number; leadInSeconds?: number; acceptEncoding?: string },
): Promise<Sample> {
  const options: LoadOptions = {
    port,
    seconds,
    leadInSeconds,
    acceptEncoding,
    connections: Array.from({ length: connections }, (_, connection) =>
      Array.from({ length: requestsPerConnection }, (_, index) => ({
        path: path(),
        token: tokens[(connection * requestsPerConnection + index) % tokens.length] ?? '',
      })),
    ),
  }
  const loader = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: (leadInSeconds + seconds + 30) * 1000,
  })
  const before = await processorSeconds(pid)
  loader.stdin.end(JSON.stringify(options))
  const parts: Buffer[] = []
  loader.stdout.on('data', (part: Buffer) => parts.push(part))
  const [code] = await once(loader, 'close')
  if (code !== 0) throw new Error('The load generator failed. Its error is above.')
  const sample: Sample = JSON.parse(Buffer.concat(parts).toString())
  return {
    ...sample,
    serverTime: serverTime(before, await processorSeconds(pid), sample.perSecond * (leadInSeconds + seconds)),
  }
}

/** Returns the CPU time per response in microseconds, from the CPU seconds before and after. */
export function serverTime(before: number | undefined, after: number | undefined, responses: number) {
  return before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / responses
}
