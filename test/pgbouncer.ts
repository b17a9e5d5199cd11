import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** The packages of Debian 13 for PgBouncer 1.24, with the libraries that older releases lack. */
const packages = [
  ...[
    'pgbouncer',
    'libc6',
    'libcares2',
    'libevent-2.1-7t64',
    'libpam0g',
    'libaudit1',
    'libcap-ng0',
    'libcap2',
  ],
  ...[
    'libssl3t64',
    'libsystemd0',
    'libgcrypt20',
    'libgpg-error0',
    'libzstd1',
    'liblz4-1',
    'liblzma5',
    'zlib1g',
  ],
]

/**
 * Downloads PgBouncer from Debian 13 without installing it, and returns the command that runs it. Debian 12 has 1.18, which can not
 * track prepared statements. apt checks the signatures.
 */
export async function downloadPgBouncer(folder: string): Promise<readonly string[]> {
  const sources = join(folder, 'sources.list')
  const status = join(folder, 'status')
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  await mkdir(join(folder, 'lists/partial'), { recursive: true })
  await mkdir(join(folder, 'cache/archives/partial'), { recursive: true })
  await writeFile(sources, `deb [signed-by=${keys}] http://deb.debian.org/debian trixie main\n`)
  await writeFile(status, '')
  const options = [
    ...['-o', `Dir::Etc::sourcelist=${sources}`, '-o', 'Dir::Etc::sourceparts=-'],
    ...['-o', `Dir::State::Lists=${join(folder, 'lists')}`, '-o', `Dir::State::status=${status}`],
    ...['-o', `Dir::Cache=${join(folder, 'cache')}`, '-o', 'APT::Sandbox::User='],
  ]
  await run('apt-get', [...options, '-qq', 'update'], { cwd: folder })
  await run('apt-get', [...options, '-qq', 'download', ...packages], { cwd: folder })
  const root = join(folder, 'root')
  for (const file of await readdir(folder))
    if (file.endsWith('.deb')) await run('dpkg', ['-x', join(folder, file), root])
  for (const architecture of await readdir(join(root, 'usr/lib'))) {
    const libraries = join(root, 'usr/lib', architecture)
    const files = await readdir(libraries).catch(() => [])
    const loader = files.find((file) => /^ld-linux-.*\.so/.test(file))
    if (loader !== undefined)
      return [join(libraries, loader), '--library-path', libraries, join(root, 'usr/sbin/pgbouncer')]
  }
  throw new Error('The packages of PgBouncer have no loader')
}

/**
 * Starts PgBouncer with the configuration of deploy/pgbouncer in front of a database. `changes` replaces texts of the configuration.
 */
export async function startPgBouncer(
  command: readonly string[],
  databaseUrl: string,
  changes: Readonly<Record<string, string>> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-pgbouncer-'))
  // PgBouncer refuses to run as root. Another user needs access.
  await chmod(folder, 0o755)
  const target = new URL(databaseUrl)
  const port = await freePort()
  const url = new URL(databaseUrl)
  url.port = String(port)
  const database = url.pathname.slice(1)
  const users = join(folder, 'userlist.txt')
  const user = decodeURIComponent(url.username)
  await writeFile(users, `"${user}" "${decodeURIComponent(url.password)}"\n`)
  let settings = await readFile(join(import.meta.dirname, '../deploy/pgbouncer/pgbouncer.ini'), 'utf8')
  const all = {
    'rhubarb = host=127.0.0.1 port=5432': `${database} = host=${target.hostname} port=${target.port}`,
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
    ...changes,
  }
  for (const [from, to] of Object.entries(all)) {
    if (!settings.includes(from)) throw new Error(`deploy/pgbouncer/pgbouncer.ini has no ${from}`)
    settings = settings.replace(from, to)
  }
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings)

  const start = () => startProcess(command, file, port)
  let server = await start()
  async function kill() {
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  return {
    url: url.href,
    kill,
    async restart() {
      await kill()
      server = await start()
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startProcess(command: readonly string[], file: string, port: number): Promise<ChildProcess> {
  const isRoot = process.getuid?.() === 0
  const [program = '', ...args] = [...command, '-q', ...(isRoot ? ['-u', 'nobody'] : []), file]
  const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: childEnvironment })
  let errors = ''
  server.stderr.on('data', (data) => {
    errors += data
  })
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PgBouncer did not start: ${errors}`)
    const socket = connect({ port, host: '127.0.0.1' })
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return server
    await sleep(20)
  }
}
