import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { OperatorError } from '#server/platform/errors.ts'
import type { Location } from './location.ts'

const run = promisify(execFile)

interface NewCluster {
  readonly withoutSync: boolean
  readonly extensions: readonly string[]
  readonly notice: (line: string) => void
}

/** Creates the cluster and the password of its role if they are missing. Returns the password. */
export async function prepareCluster(
  location: Location,
  { withoutSync, extensions, notice }: NewCluster,
): Promise<string> {
  const cluster = join(location.folder, 'cluster')
  const passwordFile = join(location.folder, 'password')
  await removeUnfinished(location.folder)

  const existing = await readFile(passwordFile, 'utf8').catch(() => undefined)
  const password = existing ?? randomBytes(24).toString('base64url')
  if (existing === undefined) {
    if (await exists(cluster))
      await runSingleUser(location, cluster, [`alter role rhubarb password '${password}'`])
    const draft = join(location.folder, 'new-password')
    await writeFile(draft, password, { mode: 0o600 })
    await rename(draft, passwordFile)
  }
  if (!(await exists(cluster))) {
    notice('Preparing a new PostgreSQL database.')
    await createCluster(location, cluster, password, { withoutSync, extensions })
  }
  return password
}

/** Creates a cluster in a temporary folder and renames it when it is complete, so that the process can be killed at any time. */
async function createCluster(
  location: Location,
  cluster: string,
  password: string,
  { withoutSync, extensions }: Omit<NewCluster, 'notice'>,
) {
  const draft = await mkdtemp(join(location.folder, 'new-'))
  await giveToAccount(location, draft)
  const data = join(draft, 'cluster')
  await initdb(location, data, withoutSync ? ['--no-sync'] : [])
  // The superuser has no password and no line here, so nobody can log in as one.
  const hostBasedAuthentication = join(data, 'pg_hba.conf')
  await writeFile(hostBasedAuthentication, 'host all rhubarb 127.0.0.1/32 scram-sha-256\n')
  await giveToAccount(location, hostBasedAuthentication)
  await runSingleUser(location, data, [
    `create role rhubarb login createdb password '${password}'`,
    'create database rhubarb owner rhubarb',
    ...extensions.map((extension) => `create extension ${extension}`),
  ])
  await rename(data, cluster)
  await rm(draft, { recursive: true })
}

/** Uses PostgreSQL's built-in collation, which is the same on all machines. The character type decides which characters trigrams include. */
async function initdb(location: Location, data: string, flags: readonly string[]) {
  try {
    await run(
      join(location.binaries, 'bin', 'initdb'),
      [
        `--pgdata=${data}`,
        '--username=postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
        '--data-checksums',
        '--no-instructions',
        ...flags,
      ],
      { ...location.account, cwd: location.folder, env: childEnvironment },
    )
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OperatorError(`PostgreSQL could not prepare its database in ${location.folder}.\n${reason}`, {
      cause,
    })
  }
}

/** Runs statements, one per line, as the superuser on a cluster that no server runs on. */
async function runSingleUser(location: Location, data: string, statements: readonly string[]) {
  const child = spawn(
    join(location.binaries, 'bin', 'postgres'),
    ['--single', '-D', data, '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', 'postgres'],
    { ...location.account, cwd: location.folder, env: childEnvironment, stdio: ['pipe', 'ignore', 'pipe'] },
  )
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${statements.join('\n')}\n`)
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new OperatorError(
      `PostgreSQL could not prepare its database in ${location.folder}.\n${lines.join('\n')}`,
    )
}

async function giveToAccount({ account }: Location, path: string) {
  if (account) await chown(path, account.uid, account.gid)
}

async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder)) {
    if (name.startsWith('new-')) await rm(join(folder, name), { recursive: true, maxRetries: 10 })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
