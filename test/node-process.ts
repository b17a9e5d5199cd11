import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { bareSettings, readyUrl } from '#test/bare-server.ts'

const root = join(import.meta.dirname, '..')
const maxLines = 15
const maxLineLength = 200
// Generous, so that a busy machine is no failure.
const startTimeoutMs = 120_000
const restartDelayMs = 100

/** Returns a server process that a test can start, kill, freeze and stop. It starts on another port each time. */
export function serverProcess(settings: Readonly<Record<string, string>>, flags: readonly string[]) {
  let child: ChildProcess | undefined
  let url: string | undefined
  let starting: Promise<void> | undefined
  let isOver = false
  const output: string[] = []

  async function launch(): Promise<string | undefined> {
    const server = spawnServer(settings, flags)
    child = server
    server.once('exit', () => {
      if (child === server) url = undefined
    })
    return readyUrlOf(server, output)
  }

  /** Starts the process until it is ready: without its database it exits. */
  async function startUntilReady() {
    const end = performance.now() + startTimeoutMs
    while (!isOver && performance.now() < end) {
      url = await launch()
      if (url !== undefined) return
      await sleep(restartDelayMs)
    }
    if (!isOver) throw new Error(`A node does not start.\n${output.join('\n')}`)
  }

  async function kill() {
    url = undefined
    if (child && child.exitCode === null && child.signalCode === null) await endProcess(child, 'SIGKILL')
  }

  /** Stops the node with SIGTERM and returns the exit code. */
  async function stop(): Promise<number | null> {
    if (!child || child.exitCode !== null) throw new Error('The node is not running')
    return endProcess(child, 'SIGTERM')
  }

  return {
    /** Returns its URL, or undefined if it is not ready. */
    url: () => url,
    pid: () => child?.pid,
    /** The last lines of its output. */
    output,
    start(): Promise<void> {
      if (url !== undefined) return Promise.resolve()
      starting ??= startUntilReady().finally(() => {
        starting = undefined
      })
      return starting
    },
    kill,
    stop,
    freeze: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      isOver = true
      await kill()
      await starting
    },
  }
}

function spawnServer(settings: Readonly<Record<string, string>>, flags: readonly string[]): ChildProcess {
  // The server stops when the IPC channel to this process closes.
  return spawn(process.execPath, [...flags, 'server/main.ts'], {
    cwd: root,
    env: { ...childEnvironment, ...settings, ...bareSettings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

/** Resolves to the server's URL, or to undefined if it exits. Appends the server's lines to `output`, which keeps the last ones. */
function readyUrlOf(server: ChildProcess, output: string[]): Promise<string | undefined> {
  const ready = Promise.withResolvers<string | undefined>()
  server.on('error', () => ready.resolve(undefined))
  server.once('exit', () => ready.resolve(undefined))
  for (const stream of [server.stdout, server.stderr]) {
    if (stream)
      createInterface({ input: stream }).on('line', (line) => {
        const address = readyUrl(line)
        if (address !== undefined) ready.resolve(address)
        output.push(line.slice(0, maxLineLength))
        if (output.length > maxLines) output.shift()
      })
  }
  return ready.promise
}

/** Sends the signal and resolves to the exit code when the process has ended. */
async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = await exit
  return code
}
