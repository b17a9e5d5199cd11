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
const startTimeoutMs = 20_000
const restartDelayMs = 100

/** Returns a server process that a test can start, kill, freeze and stop. It starts on another port each time. */
export function serverProcess(settings: Readonly<Record<string, string>>, flags: readonly string[]) {
  let child: ChildProcess | undefined
  let url: string | undefined
  let starting: Promise<void> | undefined
  let over = false
  const output: string[] = []

  async function launch(): Promise<string | undefined> {
    // The server stops when the IPC channel to this process closes.
    const server = spawn(process.execPath, [...flags, 'server/main.ts'], {
      cwd: root,
      env: {
        ...childEnvironment,
        ...settings,
        ...bareSettings,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child = server
    const ready = Promise.withResolvers<string | undefined>()
    server.on('error', () => ready.resolve(undefined))
    for (const stream of [server.stdout, server.stderr]) {
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          const address = readyUrl(line)
          if (address !== undefined) ready.resolve(address)
          output.push(line.slice(0, maxLineLength))
          if (output.length > maxLines) output.shift()
        })
    }
    server.once('exit', () => {
      if (child === server) url = undefined
      ready.resolve(undefined)
    })
    return ready.promise
  }

  /** Starts the process until it is ready: without its database it exits. */
  async function startUntilReady() {
    const end = performance.now() + startTimeoutMs
    while (!over && performance.now() < end) {
      url = await launch()
      if (url !== undefined) return
      await sleep(restartDelayMs)
    }
    if (!over) throw new Error(`A node does not start.\n${output.join('\n')}`)
  }

  async function kill() {
    const killed = child
    url = undefined
    if (!killed || killed.exitCode !== null || killed.signalCode !== null) return
    const exit = once(killed, 'exit')
    killed.kill('SIGKILL')
    await exit
  }

  /** Stops the node with SIGTERM and returns the exit code. */
  async function stop(): Promise<number | null> {
    const stopped = child
    if (!stopped || stopped.exitCode !== null) throw new Error('The node is not running')
    const exit = once(stopped, 'exit')
    stopped.kill('SIGTERM')
    const [code] = await exit
    return code
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
      over = true
      await kill()
      await starting
    },
  }
}
