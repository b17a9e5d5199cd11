import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const settings = ['biome.json', '.dependency-cruiser.json', '.gitignore', 'package.json']

/** Runs a tool with the project's settings on files with the given imports, and returns its output. */
async function run(files: Record<string, string>, tool: string, ...args: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-imports-'))
  try {
    await Promise.all(settings.map((file) => copyFile(join(root, file), join(folder, file))))
    for (const [path, imported] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), `import { thing } from '${imported}'\n\nthing()\n`)
    }
    return await new Promise((resolve) => {
      execFile(join(root, 'node_modules/.bin', tool), args, { cwd: folder }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns whether Biome refuses a file at this path because of its import. */
async function refuses(path: string, imported: string): Promise<boolean> {
  const output = await run({ [path]: imported }, 'biome', 'lint', '.')
  expect(output).toContain('Checked')
  return output.includes('noRestrictedImports')
}

test.each([
  ['contract/example.ts', '#server/app.ts'],
  ['contract/example.ts', 'node:fs'],
  ['web/example.ts', '#server/app.ts'],
  ['server/platform/example.ts', '#server/features/auth/sessions.ts'],
  ['server/platform/http/example.ts', '#server/tables.ts'],
  ['server/platform/http/example.ts', '../../features/auth/sessions.ts'],
  ['server/features/listings/example.ts', '#server/app.ts'],
])('%s may not import %s', async (path, imported) => {
  expect(await refuses(path, imported)).toBe(true)
})

test.each([
  ['contract/example.ts', 'zod'],
  ['contract/example.ts', './fields.ts'],
  ['web/example.ts', '#contract/listings.ts'],
  ['server/platform/http/example.ts', '#contract/problem.ts'],
  ['server/platform/http/example.ts', '#server/platform/errors.ts'],
  ['server/features/listings/example.ts', '#server/features/members/profile.ts'],
  ['server/features/listings/example.ts', './queries.ts'],
])('%s may import %s', async (path, imported) => {
  expect(await refuses(path, imported)).toBe(false)
})

test('features may not import each other in a cycle, even where no single files form one', async () => {
  const files = {
    'server/features/friends/one.ts': '#server/features/matches/one.ts',
    'server/features/matches/one.ts': 'zod',
    'server/features/matches/mails/two.ts': '#server/features/friends/two.ts',
    'server/features/friends/two.ts': 'zod',
  }
  expect(await run(files, 'depcruise', 'server/features')).toContain('no-cycles-between-features')
})

test.each(['queries.ts', 'list-query.ts', 'finding-queries.ts'])(
  "a feature may not import another's %s",
  async (file) => {
    const files = {
      'server/features/friends/one.ts': `#server/features/matches/${file}`,
      [`server/features/matches/${file}`]: 'zod',
      'server/features/matches/two.ts': `./${file}`,
    }
    const output = await run(files, 'depcruise', 'server/features')
    expect(output.match(/private-queries: .*/g)).toEqual([expect.stringContaining('friends/one.ts')])
  },
)
