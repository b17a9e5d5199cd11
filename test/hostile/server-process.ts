import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { bareSettings, readyUrl } from '#test/bare-server.ts'
import { newDatabase } from '#test/world.ts'

const root = join(import.meta.dirname, '..', '..')
const startWithinMs = 60_000
const maxLines = 50
const kib = 1024

/** Starts the server as a child process on a new database, without rate limits. */
export async function startServerProcess(settings: Readonly<Record<string, string>> = {}) {
  await using starting = new AsyncDisposableStack()
  const database = await newDatabase('template_world')
  starting.defer(() => database.drop())
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-process-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['--inspect-port=127.0.0.1:0', 'server/main.ts'], {
    cwd: root,
    env: {
      ...childEnvironment,
      ...bareSettings,
      ...{ SSR: 'off', DATABASE_URL: database.url, DATA_DIR: folder, TMPDIR: folder, MALLOC_ARENA_MAX: '2' },
      ...settings,
    },
    // The server stops when the IPC channel closes, so it does not outlive the test.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const exited = once(child, 'exit')
  starting.defer(async () => {
    child.kill('SIGKILL')
    await exited
  })

  const { url, lines, errors, inspector } = await readOutput(child)
  const pid = child.pid ?? 0

  const running = starting.move()
  return {
    url,
    pid,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** The last lines of its output. */
    lines,
    /** The lines that it logged as errors. */
    errors,
    /** Resident memory now and at its highest, in MiB. */
    async memory() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / kib
      return { rss: read('VmRSS'), peak: read('VmHWM') }
    },
    /** Returns the MiB of its heap and of its buffers that are in use after a full garbage collection. */
    async heapUsed() {
      // Node starts the inspector at this signal.
      child.kill('SIGUSR1')
      return heapAfterCollection(await inspector)
    },
    async openFiles() {
      return (await readdir(`/proc/${pid}/fd`)).length
    },
    /** Temporary files of uploads. */
    async uploads() {
      return (await readdir(folder)).filter((name) => name.startsWith('rhubarb-upload'))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Waits for the URL in the output of a starting server. `lines` and `errors` go on growing. Throws if the server does not start. */
async function readOutput(child: ChildProcess) {
  const lines: string[] = []
  const errors: string[] = []
  const ready = Promise.withResolvers<string>()
  const inspector = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      const address = readyUrl(line)
      if (address !== undefined) ready.resolve(address)
      const debugging = /^Debugger listening on (ws:\S+)/.exec(line)?.[1]
      if (debugging !== undefined) inspector.resolve(debugging)
      if (/"level":[56]0/.test(line)) errors.push(line)
      lines.push(line)
      if (lines.length > maxLines) lines.shift()
    })
  }
  child.once('exit', () => ready.reject(new Error(`The server ended.\n${lines.join('\n')}`)))
  const timer = setTimeout(() => ready.reject(new Error('The server did not start')), startWithinMs)
  const url = await ready.promise.finally(() => clearTimeout(timer))
  return { url, lines, errors, inspector: inspector.promise }
}

/** Collects garbage with the Chrome DevTools Protocol and returns the used MiB. */
async function heapAfterCollection(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector)
  let lastId = 0
  async function send(method: string): Promise<Record<string, number>> {
    lastId += 1
    socket.send(JSON.stringify({ id: lastId, method }))
    for (;;) {
      const [{ data }] = await once(socket, 'message')
      const { id, result } = JSON.parse(data)
      if (id === lastId) return result
    }
  }
  await once(socket, 'open')
  try {
    await send('HeapProfiler.enable')
    await send('HeapProfiler.collectGarbage')
    const { usedSize = 0, backingStorageSize = 0 } = await send('Runtime.getHeapUsage')
    return (usedSize + backingStorageSize) / kib ** 2
  } finally {
    socket.close()
  }
}
