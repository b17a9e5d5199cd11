import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Starts a Redis without persistence that a test can kill, stall and restart on the same port. */
export async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-redis-'))
  const port = await freePort()
  let server = await start(port, folder)

  async function kill() {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return server.pid ?? 0
    },
    kill,
    /** Stops the process with SIGSTOP: it accepts data and does not answer. */
    stall: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    async restart() {
      await kill()
      server = await start(port, folder)
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Valkey is compatible with Redis. */
const programs = ['redis-server', 'valkey-server']

async function start(port: number, folder: string): Promise<ChildProcess> {
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  for (const program of programs) {
    const server = spawn(program, settings, { stdio: 'ignore' })
    const started = await Promise.race([
      once(server, 'spawn').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false)
    if (!started) continue
    await waitUntilReady(server, port)
    return server
  }
  throw new Error(`This test needs ${programs.join(' or ')}; npm test installs it`)
}

async function waitUntilReady(server: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('Redis ended before it answered')
    const socket = connect({ port, host: '127.0.0.1' })
    const isUp = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
