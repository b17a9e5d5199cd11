import { execFile } from 'node:child_process'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const settings = ['biome.json', '.gitignore', 'package.json', 'scripts/logical-properties.grit']

type Import = readonly [path: string, imported: string]

/** Returns those of the imports that Biome refuses in files at these paths. */
async function refusedOf(imports: readonly Import[]): Promise<Import[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-imports-'))
  try {
    await mkdir(join(folder, 'scripts'))
    await Promise.all(settings.map((file) => copyFile(join(root, file), join(folder, file))))
    const files = imports.map(([path], index) => path.replace('example', `example-${index}`))
    for (const [index, file] of files.entries()) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), `import { thing } from '${imports[index]?.[1]}'\n\nthing()\n`)
    }
    const output = await new Promise<string>((resolve) => {
      execFile(
        join(root, 'node_modules/.bin/biome'),
        ['lint', '.', '--reporter=github', '--max-diagnostics=none'],
        { cwd: folder },
        (_error, stdout) => resolve(stdout),
      )
    })
    const refused = output.split('\n').filter((line) => line.includes('noRestrictedImports'))
    return imports.filter((_, index) => refused.some((line) => line.includes(`/${files[index]},`)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const refused: readonly Import[] = [
  ['contract/example.ts', '#server/app.ts'],
  ['contract/example.ts', 'node:fs'],
  ['contract/example.ts', 'zod'],
  ['web/example.ts', '#server/app.ts'],
  ['web/login/example.ts', '#web/features/auth/log-in.ts'],
  ['web/ui/example.ts', '#web/context/app-context.ts'],
  ['web/context/example.ts', '#server/app.ts'],
  ['web/context/example.ts', 'zod'],
  ['web/features/friends/example.ts', '#web/routes/-guards.ts'],
  ['web/features/friends/example.ts', '#server/app.ts'],
  ['server/platform/example.ts', '#server/features/auth/sessions.ts'],
  ['server/platform/http/example.ts', '#server/tables.ts'],
  ['server/platform/http/example.ts', '../../features/auth/sessions.ts'],
  ['server/features/listings/example.ts', '#server/app.ts'],
  ['server/features/listings/example.ts', '#server/subscribers.ts'],
  ['server/features/listings/example.ts', '../../tables.ts'],
  ['server/example.ts', './features/matches/queries.ts'],
  ['server/example.ts', '#server/features/matches/list-query.ts'],
  ['server/backup/example.ts', '../features/matches/finding-queries.ts'],
  ['server/example.ts', './platform/embedded-postgres/lock.ts'],
  ['server/platform/example.ts', './embedded-postgres/lock.ts'],
  ['server/platform/db/example.ts', '#server/platform/embedded-postgres/lock.ts'],
  ['server/features/friends/example.ts', '#server/platform/embedded-postgres/lock.ts'],
  ['server/features/friends/example.ts', '#server/features/matches/queries.ts'],
  ['server/features/friends/example.ts', '#server/features/matches/list-query.ts'],
  ['server/features/friends/example.ts', '#server/features/matches/finding-queries.ts'],
]
const allowed: readonly Import[] = [
  ['contract/example.ts', 'zod/mini'],
  ['contract/example.ts', './fields.ts'],
  ['web/example.ts', '#contract/listings.ts'],
  ['web/api/example.ts', '#web/login/login-store.ts'],
  ['web/context/example.ts', '#web/api/query-client.ts'],
  ['web/features/friends/example.ts', '#web/features/members/blocks.ts'],
  ['web/routes/example.ts', '#web/features/members/blocks.ts'],
  ['server/example.ts', './features/matches/matches.ts'],
  ['server/demo/example.ts', './queries.ts'],
  ['server/example.ts', './platform/embedded-postgres/start.ts'],
  ['server/platform/embedded-postgres/example.ts', './lock.ts'],
  ['server/platform/http/example.ts', '#contract/problem.ts'],
  ['server/platform/http/example.ts', '#server/platform/errors.ts'],
  ['server/features/listings/example.ts', '#server/features/members/profile.ts'],
  ['server/features/listings/example.ts', './queries.ts'],
  ['server/features/listings/example.ts', '#server/deps.ts'],
  ['server/features/friends/example.ts', './list-query.ts'],
  ['server/features/friends/example.ts', './finding-queries.ts'],
]

test('imports run one way between folders, and a feature does not import the queries of another', async () => {
  expect(await refusedOf([...refused, ...allowed])).toEqual(refused)
})

test.each(['server/features/**/*.ts', 'server/platform/**/*.ts', 'web/**/*.{ts,tsx}'])(
  'the folders of %s import each other one way',
  async (files) => {
    const imports = await importsOfFolders(files)
    expect(imports.size).toBeGreaterThan(1)
    expect(findCycle(imports)).toEqual([])
  },
)

test('the search finds a cycle between folders', () => {
  const imports = new Map([
    ['friends', ['matches']],
    ['matches', ['listings', 'wants']],
    ['wants', ['friends']],
  ])
  expect(findCycle(imports)).toEqual(['friends', 'matches', 'wants', 'friends'])
})

/** Returns the other folders that the files of each folder import, except tests. Finds `import()` too. */
async function importsOfFolders(files: string): Promise<Map<string, string[]>> {
  const imports = new Map<string, string[]>()
  for await (const file of glob(files, { cwd: root, exclude: ['**/*.test.{ts,tsx}'] })) {
    const folder = folderOf(file) ?? ''
    const text = await readFile(join(root, file), 'utf8')
    const { module } = parseSync(file, text)
    const imported = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ]
      .map((value) => (value.startsWith('#') ? value.slice(1) : join(dirname(file), value)))
      .flatMap((path) => folderOf(path) ?? [])
    imports.set(folder, [...(imports.get(folder) ?? []), ...imported.filter((other) => other !== folder)])
  }
  return imports
}

/** Returns the feature of a file, or the folder of `server/platform/` or `web/` that it is in. Returns undefined for other files of the server. */
function folderOf(path: string): string | undefined {
  return /^(?:server|web)\/features\/[^/]+(?=\/)|^(?:server\/platform|web)(?:\/[^/]+)?(?=\/)/.exec(path)?.[0]
}

/** Returns the folders of a cycle with the first one repeated at the end, or an empty array. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const visit = (folder: string, path: readonly string[]): string[] => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder]
    if (done.has(folder)) return []
    for (const imported of imports.get(folder) ?? []) {
      const cycle = visit(imported, [...path, folder])
      if (cycle.length > 0) return cycle
    }
    done.add(folder)
    return []
  }
  for (const folder of imports.keys()) {
    const cycle = visit(folder, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
