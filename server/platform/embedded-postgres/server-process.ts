import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { OperatorError } from '#server/platform/errors.ts'
import { waitUntil } from '#server/platform/wait-until.ts'
import type { Location } from './location.ts'

const run = promisify(execFile)

/** The signals of a fast shutdown, an immediate shutdown and a kill, each with its timeout in milliseconds. */
const shutdownSignals = [
  ['SIGINT', 3000],
  ['SIGQUIT', 1000],
  ['SIGKILL', 1000],
] as const

/** Starts PostgreSQL on the cluster and a free port, and waits until it accepts connections. */
export async function launch(
  location: Location,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
  attempts = 5,
): Promise<{ postgres: ChildProcess; port: number }> {
  const cluster = join(location.folder, 'cluster')
  const port = await freePort()
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Its own session (`detached`) keeps the terminal's Ctrl-C away until the server has stopped.
  const postgres = spawn(
    join(location.binaries, 'bin', 'postgres'),
    ['-D', cluster, '-p', String(port), ...flags],
    {
      ...location.account,
      cwd: location.folder,
      env: childEnvironment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  postgres.once('exit', stopWithThisProcess(postgres, location))
  const output: string[] = []
  const ready = Promise.withResolvers<boolean>()
  createInterface({ input: postgres.stderr }).on('line', (line) => {
    log(line)
    output.push(line)
    if (/database system is ready to accept (read-only )?connections/.test(line)) ready.resolve(true)
  })
  postgres.once('error', ready.reject)
  postgres.once('close', () => ready.resolve(false))
  if (await ready.promise) return { postgres, port }

  const text = output.join('\n')
  // Another program has taken the port, or a killed PostgreSQL still has its shared memory.
  const isTemporary = /could not bind|still in use/.test(text)
  if (!isTemporary || attempts <= 1)
    throw new OperatorError(`PostgreSQL did not start on ${cluster}.\n${text}`)
  await sleep(300)
  return launch(location, settings, log, attempts - 1)
}

/**
 * Stops PostgreSQL when this process ends in any way: a shell waits for the end of a pipe, which closes then. Returns a function that
 * ends the shell.
 */
function stopWithThisProcess(postgres: ChildProcess, { account }: Location): () => void {
  const shell = spawn('/bin/sh', ['-c', 'read -r _ || kill -INT "$1"', 'sh', String(postgres.pid)], {
    ...account,
    cwd: '/',
    env: childEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return () => shell.stdin.end('\n')
}

/** Stops the PostgreSQL of a killed process. The caller must have the lock. */
export async function stopLeftover({ folder }: Location, notice: (line: string) => void) {
  const cluster = join(folder, 'cluster')
  const running = await findRunning(folder)
  if (running) {
    notice('Stopping the PostgreSQL that an earlier run left behind.')
    await stopProcess(running.pid, async () => !(await isServing(running.pid, cluster)))
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/** Returns the process and the port of the PostgreSQL that runs on the folder's cluster. An old pid file may name another program. */
export async function findRunning(folder: string): Promise<{ pid: number; port: number } | undefined> {
  const cluster = join(folder, 'cluster')
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
  return (await isServing(pid, cluster)) ? { pid, port } : undefined
}

async function isServing(pid: number, cluster: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    process.platform === 'linux' ? '' : commandFromPs(pid),
  )
  return command.includes('postgres') && command.includes(cluster)
}

async function commandFromPs(pid: number): Promise<string> {
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout
}

/** Stops a PostgreSQL with ever stronger signals. Throws OperatorError if it survives them. */
export async function stopProcess(pid: number | undefined, isGone: () => boolean | Promise<boolean>) {
  if (pid === undefined || (await isGone())) return
  for (const [signal, timeoutMs] of shutdownSignals) {
    signalProcess(pid, signal)
    if (await waitUntil(isGone, timeoutMs)) return
  }
  throw new OperatorError(`PostgreSQL (process ${pid}) does not stop.`)
}

function signalProcess(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already exited.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new OperatorError('No free port was found.')
  return address.port
}
