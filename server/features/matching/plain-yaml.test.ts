import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readPlainYaml } from './plain-yaml.ts'

const folder = join(import.meta.dirname, 'lexicon')
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))

test.each(files)('%s is read as any YAML reader does', (file) => {
  const text = readFileSync(join(folder, file), 'utf8')

  expect(readPlainYaml(text)).toEqual(parse(text, { schema: 'failsafe' }) ?? {})
})

test.each([
  ['a tab of a list that never ends', 'kale:\n  names: [curly kale'],
  ['a line that is no entry', 'kale:\n  category: produce\n  borecole\n'],
  ['an entry without a value', 'kale:\nleek:\n'],
])('%s is refused, and the line named', (_what, text) => {
  expect(() => readPlainYaml(text)).toThrow(/^Line \d+ /)
})
