import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What modules of the server keep for as long as the process runs, and why it is the same for every world in it. */
const known = {
  // Read once from files of the project.
  'features/auth/common-passwords.ts': ['common'],
  'features/matching/lexicon.ts': ['read'],
  'features/places/places.ts': ['table', 'remembered'],
  // Worked out from nothing but what they are asked with.
  'features/matching/typos.ts': ['before, above, line'],
  'platform/local-time.ts': ['formats'],
  'platform/db/database.ts': ['pools', 'names'],
  // By the database they are of, and gone with it.
  'features/listings/prices.ts': ['samples'],
  'features/listings/search.ts': ['commonTerms'],
}

const variable = /^(?:export )?let \[?([^\]=:;]+?)\]?\s*[=:]/
const container = /^(?:export )?const (\w+) = new (?:Map|Set|WeakMap|WeakSet|LRUCache)\b.*\((?:\)|\{)/

test('what the modules of the server keep is nothing of one world: the files of its tests share them', async () => {
  const found: Record<string, string[]> = {}
  for await (const file of glob('**/*.ts', { cwd: join(root, 'server') })) {
    if (file.endsWith('.test.ts')) continue
    const text = await readFile(join(root, 'server', file), 'utf8')
    const names = text.split('\n').flatMap((line) => (variable.exec(line) ?? container.exec(line))?.[1] ?? [])
    if (names.length > 0) found[file] = names
  }
  expect(found).toEqual(known)
})
