import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lastRelease } from './last-release.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const migrations = 'server/migrations'
/** Inside the project, so that the release finds what is installed. */
const releases = join(root, '.cache', 'releases')
const longestMs = 15 * 60_000

/** Of `rest`, what does not speak of the schema as a whole: that has changed, and may. */
const aboutSchema = ['**/leaving.test.ts', '**/plans.test.ts', '**/*.plans.test.ts']

export const { version, commit } = lastRelease

/** Why the release can't be tried here; undefined when it can. Throws when it is no release that this version comes after. */
export async function whyNot(): Promise<string | undefined> {
  const found = await succeeds('cat-file', '-e', `${commit}^{commit}`)
  if (!found)
    return `Release ${version} (${commit}) is not in the history that is here: git fetch --unshallow brings it`
  if (!(await succeeds('merge-base', '--is-ancestor', commit, 'HEAD')))
    throw new Error(`Release ${version} (${commit}) is not a version before this one`)
  const stated = JSON.parse(await git('show', `${commit}:package.json`)).version
  if (stated !== version) throw new Error(`The release ${commit} calls itself ${stated}, not ${version}`)
  return undefined
}

/** The migrations of the release that are no longer as they were, and those that are new since. */
export async function migrationsSince(): Promise<{ changed: string[]; added: string[] }> {
  const changes = await git('diff', '--name-status', '--no-renames', commit, '--', migrations)
  const entries = changes.split('\n').filter(Boolean)
  const untracked = await git('ls-files', '--others', '--exclude-standard', '--', migrations)
  return {
    changed: entries.filter((entry) => !entry.startsWith('A')).map((entry) => entry.slice(2)),
    added: [
      ...entries.filter((entry) => entry.startsWith('A')).map((entry) => entry.slice(2)),
      ...untracked.split('\n').filter(Boolean),
    ],
  }
}

/**
 * Runs tests of the release, its own code, on the schema as it is now; in the PostgreSQL that is given, or in one of their
 * own. Returns whether they pass, and what was said.
 */
export async function runReleaseTests(
  files: readonly string[],
  postgresUrl?: string,
): Promise<{ passed: boolean; said: string }> {
  const folder = await unpacked()
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      `--root=${folder}`,
      `--config=${join(import.meta.dirname, 'vitest.config.ts')}`,
      ...aboutSchema.map((pattern) => `--exclude=${pattern}`),
      ...files,
    ],
    {
      cwd: folder,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        NO_COLOR: '1',
        ...(postgresUrl !== undefined && { POSTGRES_URL: postgresUrl }),
      },
      timeout: longestMs,
    },
  )
  const said: string[] = []
  for (const stream of [vitest.stdout, vitest.stderr])
    stream.on('data', (bytes: Buffer) => said.push(String(bytes)))
  const [code] = await once(vitest, 'close')
  return { passed: code === 0, said: said.join('') }
}

/** The release as it was, unpacked once. */
async function unpacked(): Promise<string> {
  const folder = join(releases, commit)
  if (await stat(folder).catch(() => undefined)) return folder
  await mkdir(releases, { recursive: true })
  for (const old of await readdir(releases)) await rm(join(releases, old), { recursive: true, force: true })
  const draft = await mkdtemp(join(releases, 'new-'))
  const archive = spawn('git', ['archive', commit], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  const tar = spawn('tar', ['-x', '-C', draft], { stdio: [archive.stdout, 'ignore', 'ignore'] })
  const [code] = await once(tar, 'close')
  if (code !== 0) throw new Error(`Release ${version} can not be unpacked`)
  await rename(draft, folder)
  return folder
}

function succeeds(...words: string[]): Promise<boolean> {
  return git(...words).then(
    () => true,
    () => false,
  )
}

async function git(...words: string[]): Promise<string> {
  const { stdout } = await run('git', words, { cwd: root })
  return stdout
}
