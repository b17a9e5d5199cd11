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
  writeFileSync,
} from 'node:fs'
import { constants, homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const modules = join(root, 'node_modules')

// biome-ignore lint/style/noProcessEnv: what a script starts gets the environment the script got
const inherited = process.env

const hostPath = (inherited.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(modules))

/** @type {NodeJS.ProcessEnv} The environment for what is installed here: its programs, Node 24 among them, come first. */
export const environment = { ...inherited, PATH: [join(modules, '.bin'), ...hostPath].join(delimiter) }

/** @type {readonly NodeJS.Signals[]} */
export const endings = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Ends this script with a sentence for whoever started it. */
export class Unable extends Error {}

/**
 * Runs a program to its end in this terminal. A signal to this script goes on to it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code, and as in a shell 128 and more when a signal ended it
 */
export function run(command, args, env = environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' })
    /** @param {NodeJS.Signals} signal */
    function forward(signal) {
      child.kill(signal)
    }
    for (const signal of endings) process.on(signal, forward)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const each of endings) process.off(each, forward)
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

/** Installs what package-lock.json names, unless it is there. */
export async function install() {
  if (isInstalled(readLock(join(root, 'package-lock.json')), readLock(join(modules, '.package-lock.json'))))
    return
  console.log('Installing what Rhubarb is made of. The first time this takes a minute or two.')
  // npm writes this record last: without it, an install that is interrupted is begun anew.
  rmSync(join(modules, '.package-lock.json'), { force: true })
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...inherited, PATH: hostPath.join(delimiter) }
  if (!isWritable(env.npm_config_cache ?? join(homedir(), '.npm')))
    env.npm_config_cache = join(root, '.cache/npm')
  const code = await run('npm', ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], env)
  if (code !== 0) throw new Unable('npm could not install the dependencies; what it said stands above.')
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], optionalDependencies?: Record<string, string> }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 */

/**
 * Whether what npm says it installed is what the lockfile wants. Optional packages for other machines may be missing.
 * @param {Lock | undefined} wanted
 * @param {Lock | undefined} held
 */
export function isInstalled(wanted, held) {
  if (!wanted || !held) return false
  const direct = Object.keys(wanted.packages['']?.optionalDependencies ?? {}).map(
    (name) => `node_modules/${name}`,
  )
  return Object.entries(wanted.packages).every(([path, expected]) => {
    if (path === '') return true
    const found = held.packages[path]
    if (!found) return expected.optional === true && !(direct.includes(path) && isForThisMachine(expected))
    return found.version === expected.version && found.integrity === expected.integrity
  })
}

/** @param {LockedPackage} locked */
function isForThisMachine({ os = [process.platform], cpu = [process.arch] }) {
  return os.includes(process.platform) && cpu.includes(process.arch)
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

/** The Node that serves: the one npm installed, else the one that runs this when it is new enough. */
export async function findNode() {
  const pinned = join(modules, '.bin', 'node')
  if (existsSync(pinned) && (await run(pinned, ['-e', '']).catch(() => 1)) === 0) return pinned
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  throw new Unable(
    `Rhubarb runs on Node 24, which npm does not bring for ${process.platform} on ${process.arch}, and this is Node ${process.versions.node}. Install Node 24 (https://nodejs.org) and start again.`,
  )
}

/** Builds the web client into dist/web and dist/ssr, unless they were built from the same sources. */
export async function buildWeb() {
  const stamp = join(root, 'dist', 'web.sources')
  const made = ['dist/ssr/server.js', 'dist/web.sources']
  const built = made.every((file) => existsSync(join(root, file)))
  if (built && readFileSync(stamp, 'utf8') === sourcesOfWeb()) return
  console.log('Building the web client.')
  rmSync(stamp, { force: true })
  const vite = join(modules, 'vite', 'bin', 'vite.js')
  const code = await run(await findNode(), [vite, 'build', '--logLevel', 'warn'])
  if (code !== 0) throw new Unable('The web client could not be built; what Vite said stands above.')
  // Read after the build, which writes a source of its own (the tree of routes).
  writeFileSync(stamp, sourcesOfWeb())
}

function sourcesOfWeb() {
  const hash = createHash('sha256')
  for (const source of ['web', 'contract', 'vite.config.ts', 'package-lock.json']) {
    for (const file of filesIn(source)) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  const entries = readdirSync(join(root, dirname(path)), { withFileTypes: true })
  const isFolder = entries.some((entry) => entry.isDirectory() && join(dirname(path), entry.name) === path)
  if (!isFolder) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}
