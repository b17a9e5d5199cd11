import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const server = join(import.meta.dirname, '..', 'server')

/** The modules that keep something for as long as the process runs, and why it is the same for every world in it. */
const known: Readonly<Record<string, string>> = {
  'features/auth/common-passwords.ts': 'read once from a file of the project',
  'features/matching/lexicon.ts': 'read once from files of the project',
  'features/places/places.ts': 'read once from a file of the project, and worked out from it',
  'features/matching/typos.ts': 'room to work in, written anew each time',
  'platform/local-time.ts': 'formats, by time zone',
  'platform/db/database.ts': 'names of statements, by their text',
}

const variable = /^(?:export )?let /m
/** What is filled later. A WeakMap goes with what it is by, such as a database. */
const container = /^(?:export )?const \w+ = new (?:Map|Set|LRUCache)\b.*\((?:\)|\{)/m

test('what the modules of the server keep is nothing of one world, for the files of its tests share them', async () => {
  const keeping: string[] = []
  for await (const file of glob('**/*.ts', { cwd: server, exclude: ['**/*.test.ts'] })) {
    const text = await readFile(join(server, file), 'utf8')
    if (variable.test(text) || container.test(text)) keeping.push(file)
  }
  expect(keeping).toContain('platform/db/database.ts')
  expect(keeping.filter((file) => known[file] === undefined)).toEqual([])
})
