import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { freePort } from '#test/free-port.ts'
import { bothCores, type OwnCore } from '../cores.ts'

const startTimeoutMs = 30_000

/**
 * Starts Debian's ejabberd with its default message archive, or returns undefined if it is not installed. It may use all cores and
 * accepts anonymous logins.
 */
export async function startEjabberd(ownCore: OwnCore) {
  const control = await readFile('/usr/sbin/ejabberdctl', 'utf8').catch(() => undefined)
  const libraries = control && /^ERL_LIBS='([^']+)'/m.exec(control)?.[1]
  if (!libraries) return undefined

  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-ejabberd-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = join(folder, 'ejabberd.yml')
  await writeFile(settings, configuration(port))
  // Without a node name, Erlang does not start a daemon that would outlive it.
  const erlang = ['erl', '-noinput', '+P', '250000', '+Q', '65536']
  const program = [...erlang, '-mnesia', 'dir', `"${folder}/spool"`, '-s', 'ejabberd']
  const [command = '', ...args] = [...bothCores(ownCore), ...program]
  const server = spawn(command, args, {
    cwd: folder,
    env: {
      ...childEnvironment,
      HOME: folder,
      ERL_LIBS: libraries,
      EJABBERD_CONFIG_PATH: settings,
      EJABBERD_LOG_PATH: join(folder, 'ejabberd.log'),
    },
    stdio: 'ignore',
  })
  process.once('exit', () => server.kill('SIGKILL'))
  const ended = once(server, 'exit')
  starting.defer(async () => {
    server.kill('SIGKILL')
    await ended
  })
  await listening(server, port)
  const running = starting.move()
  return {
    pid: server.pid ?? 0,
    port,
    /** The size of the archive in bytes. */
    archived: async () => (await stat(join(folder, 'spool', 'archive_msg.DAT'))).size,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function configuration(port: number): string {
  return `
hosts: [localhost]
loglevel: error
listen:
  - port: ${port}
    ip: "127.0.0.1"
    module: ejabberd_http
    request_handlers:
      /ws: ejabberd_http_ws
websocket_ping_interval: 3600
websocket_timeout: 7200
auth_method: [anonymous]
anonymous_protocol: login_anon
modules:
  mod_mam:
    default: always
    request_activates_archiving: false
    assume_mam_usage: true
`
}

async function listening(server: ChildProcess, port: number): Promise<void> {
  const end = performance.now() + startTimeoutMs
  while (performance.now() < end && server.exitCode === null) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return
    await sleep(100)
  }
  throw new Error('ejabberd did not start')
}
