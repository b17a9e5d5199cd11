import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { findProgram, installFromApt } from '../../scripts/programs.mjs'

export const isRoot = process.getuid?.() === 0

/** The Debian package of each program. */
const packages = {
  nginx: 'nginx-light',
  'redis-server': 'redis-server',
  openssl: 'openssl',
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
}

/** Installs PostgreSQL and the packages of these programs if they are missing. */
export async function ensurePrograms(...programs: readonly (keyof typeof packages)[]): Promise<void> {
  for (const program of programs) {
    if (!findProgram(program) && !existsSync(join('/usr/sbin', program)))
      await installFromApt(packages[program])
  }
  if (postgresPrograms() === undefined) await installFromApt('postgresql')
}

/** Returns the folder of the newest PostgreSQL of Debian. */
export function postgresPrograms(): string | undefined {
  const base = '/usr/lib/postgresql'
  if (!existsSync(base)) return undefined
  const [newest] = readdirSync(base).sort((one, other) => Number(other) - Number(one))
  return newest && join(base, newest, 'bin')
}

/** Runs a program and returns its output. Throws its error output. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    env: childEnvironment,
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  })
  return stdout
}

/** Returns the command run as the postgres user, because PostgreSQL refuses to run as root. */
export function asPostgres(command: readonly string[]): [string, string[]] {
  const [program = '', ...args] = command
  const user = ['--reuid=postgres', '--regid=postgres', '--init-groups', '--']
  return isRoot ? ['setpriv', [...user, program, ...args]] : [program, args]
}

/** Starts a program with its output in a file. It is killed when this process exits. */
export async function startProgram(
  program: string,
  args: readonly string[],
  options: { log: string; cwd?: string; env?: NodeJS.ProcessEnv },
) {
  const log = createWriteStream(options.log, { flags: 'a' })
  await once(log, 'open')
  const child: ChildProcess = spawn(program, args, {
    cwd: options.cwd,
    env: options.env ?? childEnvironment,
    stdio: ['ignore', log, log],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    get pid() {
      return child.pid
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
    },
    async [Symbol.asyncDispose]() {
      await this.stop()
    },
  }
}

/** Repeats a request until the response is acceptable. Throws after a timeout. */
export async function waitForResponse(url: string, what: string): Promise<void> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    if (Date.now() > deadline) throw new Error(`${what} did not answer at ${url}`)
    await sleep(100)
  }
}
