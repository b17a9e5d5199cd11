import { execFile } from 'node:child_process'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const settings = ['biome.json', '.gitignore', 'package.json']

type Import = readonly [path: string, imported: string]

/** Returns those of the imports that Biome refuses in files at these paths. */
async function refusedOf(imports: readonly Import[]): Promise<Import[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-imports-'))
  try {
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
  ['server/platform/example.ts', '#server/features/auth/sessions.ts'],
  ['server/platform/http/example.ts', '#server/tables.ts'],
  ['server/platform/http/example.ts', '../../features/auth/sessions.ts'],
  ['server/features/listings/example.ts', '#server/app.ts'],
  ['server/features/friends/example.ts', '#server/features/matches/queries.ts'],
  ['server/features/friends/example.ts', '#server/features/matches/list-query.ts'],
  ['server/features/friends/example.ts', '#server/features/matches/finding-queries.ts'],
]
const allowed: readonly Import[] = [
  ['contract/example.ts', 'zod/mini'],
  ['contract/example.ts', './fields.ts'],
  ['web/example.ts', '#contract/listings.ts'],
  ['server/platform/http/example.ts', '#contract/problem.ts'],
  ['server/platform/http/example.ts', '#server/platform/errors.ts'],
  ['server/features/listings/example.ts', '#server/features/members/profile.ts'],
  ['server/features/listings/example.ts', './queries.ts'],
  ['server/features/friends/example.ts', './list-query.ts'],
  ['server/features/friends/example.ts', './finding-queries.ts'],
]

test('imports run one way between folders, and a feature does not import the queries of another', async () => {
  expect(await refusedOf([...refused, ...allowed])).toEqual(refused)
})

test('features do not import each other in a cycle', async () => {
  expect(findCycle(await importsOfFeatures())).toEqual([])
})

test('the search finds a cycle between features', () => {
  const imports = new Map([
    ['friends', ['matches']],
    ['matches', ['listings', 'wants']],
    ['wants', ['friends']],
  ])
  expect(findCycle(imports)).toEqual(['friends', 'matches', 'wants', 'friends'])
})

/** Returns the features that the files of each feature import, except tests. */
async function importsOfFeatures(): Promise<Map<string, string[]>> {
  const imports = new Map<string, string[]>()
  for await (const file of glob('server/features/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
    const feature = featureOf(file) ?? ''
    const { module } = parseSync(file, await readFile(join(root, file), 'utf8'))
    const imported = module.staticImports
      .map(({ moduleRequest: { value } }) =>
        value.startsWith('#') ? value.slice(1) : join(dirname(file), value),
      )
      .flatMap((path) => featureOf(path) ?? [])
    imports.set(feature, [...(imports.get(feature) ?? []), ...imported.filter((other) => other !== feature)])
  }
  return imports
}

function featureOf(path: string): string | undefined {
  return /^server\/features\/([^/]+)\//.exec(path)?.[1]
}

/** Returns the features of a cycle with the first one repeated at the end, or an empty array. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const visit = (feature: string, path: readonly string[]): string[] => {
    if (path.includes(feature)) return [...path.slice(path.indexOf(feature)), feature]
    if (done.has(feature)) return []
    for (const imported of imports.get(feature) ?? []) {
      const cycle = visit(imported, [...path, feature])
      if (cycle.length > 0) return cycle
    }
    done.add(feature)
    return []
  }
  for (const feature of imports.keys()) {
    const cycle = visit(feature, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
