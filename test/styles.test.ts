import { spawnSync } from 'node:child_process'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Returns those of the declarations that Biome refuses in a style sheet. */
async function refusedOf(declarations: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-styles-'))
  try {
    await mkdir(join(folder, 'scripts'))
    for (const file of ['biome.json', '.gitignore', 'scripts/logical-properties.grit'])
      await copyFile(join(root, file), join(folder, file))
    const rules = declarations.map((declaration, index) => `.example${index} { ${declaration}; }\n`)
    await writeFile(join(folder, 'example.css'), rules.join(''))
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/biome'),
      ['lint', '.', '--reporter=github', '--max-diagnostics=none'],
      { cwd: folder, encoding: 'utf8' },
    )
    const lines = new Set([...stdout.matchAll(/title=plugin.*?,line=(\d+)/g)].map(([, line]) => Number(line)))
    return declarations.filter((_, index) => lines.has(index + 1))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A color of the palette, or none of the tokens. */
const fixedColor =
  /var\(--(?:maroon|green|grey|charcoal|ash)-\w+\)|var\(--white\)|#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)\(/g

const physical = [
  'margin-left: 1px',
  'border-right: 0',
  'left: 0',
  'border-top-left-radius: 1px',
  'text-align: right',
  'inset: 0 1px auto 0',
  'margin: 0 0 var(--s4) calc(var(--s3) * -1)',
]
const logical = [
  'margin-inline-start: 1px',
  'text-align: start',
  'inset: auto 0 calc(var(--s3) + var(--s4) + 1px)',
  'margin: 0 calc(var(--gutter) * -1) var(--s4)',
  'object-position: left',
  'margin-top: 1px',
]

test('Biome refuses CSS that does not fit a language that is written from right to left', async () => {
  expect(await refusedOf([...physical, ...logical])).toEqual(physical)
})

test('style sheets take colors from the roles of the tokens, which are light and dark', async () => {
  const web = join(root, 'web')
  const found: string[] = []
  for await (const file of glob('**/*.css', { cwd: web })) {
    if (file === 'styles/tokens.css') continue
    const source = (await readFile(join(web, file), 'utf8')).replaceAll(/\/\*.*?\*\//gs, '')
    for (const [color] of source.matchAll(fixedColor)) found.push(`${file}: ${color}`)
  }
  expect(found).toEqual([])
})
