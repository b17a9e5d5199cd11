// Set-up of `npm start` and `npm test`. It runs before the packages are installed, so it needs Node 20 and nothing else.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  constants as access,
  accessSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants, homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const modules = join(root, 'node_modules')

// biome-ignore lint/style/noProcessEnv: programs that a script starts inherit its environment
const inherited = process.env

/** True if this script runs in Node 24 or newer. */
const isNode24 = Number.parseInt(process.versions.node, 10) >= 24

const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())

/** The C library as lockfiles name it. Only packages for Linux name one. */
const currentLibc = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'

const hostPath = (inherited.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(modules))

/** @type {NodeJS.ProcessEnv} The environment in which installed programs, such as Node 24, come first in the path. */
export const environment = { ...inherited, PATH: [join(modules, '.bin'), ...hostPath].join(delimiter) }

/** @type {readonly NodeJS.Signals[]} */
export const terminationSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** An error that ends the script with its message only. */
export class ScriptError extends Error {}

/**
 * Runs a program in this terminal and forwards signals to it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code, or 128 plus the number of the signal that ended it
 */
export function run(command, args, env = environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' })
    /** @param {NodeJS.Signals} signal */
    function forward(signal) {
      child.kill(signal)
    }
    for (const signal of terminationSignals) process.on(signal, forward)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const each of terminationSignals) process.off(each, forward)
      resolve(exitCode(code, signal))
    })
  })
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

/** Installs the packages of package-lock.json unless they are installed. */
export async function install() {
  if (areInstalled()) return
  console.log('Installing the dependencies. The first time this takes a minute or two.')
  // npm writes this file last, so an interrupted installation is repeated.
  rmSync(join(modules, '.package-lock.json'), { force: true })
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...inherited, PATH: hostPath.join(delimiter) }
  if (!isWritable(env.npm_config_cache ?? join(homedir(), '.npm')))
    env.npm_config_cache = join(root, '.cache/npm')
  const options = ['--include=dev', '--loglevel=error', '--no-audit', '--no-fund']
  let code = await run('npm', ['ci', ...options], env)
  const npm = inherited.npm_execpath
  // npm leaves out optional packages, such as compilers, that need a newer Node than the one that runs npm. So Node 24 adds them.
  if (code === 0 && npm && !areInstalled())
    code = await run(await findNode(), [npm, 'install', '--no-save', ...options])
  if (code !== 0) throw new ScriptError('npm could not install the dependencies. See its output above.')
}

function areInstalled() {
  return isInstalled(readLock(join(root, 'package-lock.json')), readLock(join(modules, '.package-lock.json')))
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 */

/**
 * Returns whether npm has installed the packages of the lockfile. Optional packages may be missing, except those for this platform: an npm
 * that runs in an older Node leaves them out.
 * @param {Lock | undefined} lockfile
 * @param {Lock | undefined} installed
 */
export function isInstalled(lockfile, installed) {
  if (!lockfile || !installed) return false
  return Object.entries(lockfile.packages).every(([path, expected]) => {
    if (path === '') return true
    const found = installed.packages[path]
    if (!found) return expected.optional === true && !isForThisPlatform(expected)
    return found.version === expected.version && found.integrity === expected.integrity
  })
}

/** @param {LockedPackage} locked */
function isForThisPlatform({ os = [], cpu = [], libc = [currentLibc] }) {
  return os.includes(process.platform) && cpu.includes(process.arch) && libc.includes(currentLibc)
}

/**
 * @param {string} path
 * @returns {Lock | undefined}
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, access.W_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the path of Node 24: the one that npm installed, else the running one if it is new enough. */
export async function findNode() {
  const pinned = join(modules, '.bin', 'node')
  if (existsSync(pinned) && (await run(pinned, ['-e', '']).catch(() => 1)) === 0) return pinned
  if (isNode24) return process.execPath
  throw new ScriptError(
    `Rhubarb needs Node 24. npm has no Node 24 for ${process.platform} on ${process.arch}, and this is Node ${process.versions.node}. Install Node 24 (https://nodejs.org) and start again.`,
  )
}

/** Builds the web client into dist/web and dist/ssr unless its sources are unchanged. */
export async function buildWeb() {
  const stamp = join(root, 'dist', 'web.sources')
  const outputs = ['dist/ssr/server.js', 'dist/web.sources']
  const isBuilt = outputs.every((file) => existsSync(join(root, file)))
  if (isBuilt && readFileSync(stamp, 'utf8') === sourcesOfWeb()) return
  console.log('Building the web client.')
  rmSync(stamp, { force: true })
  const vite = join(modules, 'vite', 'bin', 'vite.js')
  const code = await run(await findNode(), [vite, 'build', '--logLevel', 'warn'])
  if (code !== 0) throw new ScriptError('The web client could not be built. See the output of Vite above.')
  // The build writes a source file (the route tree), so the sources are read after it.
  writeFileSync(stamp, sourcesOfWeb())
}

function sourcesOfWeb() {
  const hash = createHash('sha256')
  const files = ['web', 'contract', 'locales'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
  )
  for (const file of [...files.sort(), 'vite.config.ts', 'package-lock.json'])
    if (statSync(join(root, file)).isFile()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
