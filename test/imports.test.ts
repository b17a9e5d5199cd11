import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Whether the project's Biome refuses a file at this path for what it imports. */
async function refuses(path: string, imported: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-imports-'))
  try {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await Promise.all(
      ['biome.json', '.gitignore'].map((file) => copyFile(join(root, file), join(folder, file))),
    )
    await writeFile(join(folder, path), `import { thing } from '${imported}'\n\nthing()\n`)
    const said = await new Promise<string>((resolve) => {
      execFile(
        join(root, 'node_modules/.bin/biome'),
        ['lint', '.'],
        { cwd: folder },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      )
    })
    expect(said).toContain('Checked')
    return said.includes('noRestrictedImports')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test.each([
  ['contract/planted.ts', '#server/app.ts'],
  ['contract/planted.ts', 'node:fs'],
  ['web/planted.ts', '#server/app.ts'],
  ['server/platform/planted.ts', '#server/features/auth/sessions.ts'],
  ['server/platform/http/planted.ts', '#server/tables.ts'],
  ['server/platform/http/planted.ts', '../../features/auth/sessions.ts'],
  ['server/features/listings/planted.ts', '#server/features/members/queries.ts'],
  ['server/features/listings/planted.ts', '../members/queries.ts'],
  ['server/features/listings/planted.ts', '#server/app.ts'],
])('%s may not import %s', async (path, imported) => {
  expect(await refuses(path, imported)).toBe(true)
})

test.each([
  ['contract/planted.ts', 'zod'],
  ['contract/planted.ts', './fields.ts'],
  ['web/planted.ts', '#contract/listings.ts'],
  ['server/platform/http/planted.ts', '#contract/problem.ts'],
  ['server/platform/http/planted.ts', '#server/platform/errors.ts'],
  ['server/features/listings/planted.ts', '#server/features/members/profile.ts'],
  ['server/features/listings/planted.ts', './queries.ts'],
])('%s may import %s', async (path, imported) => {
  expect(await refuses(path, imported)).toBe(false)
})
