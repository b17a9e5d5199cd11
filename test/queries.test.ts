import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The methods of Kysely that begin a statement. Each takes a table. */
const builders = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']
/** The methods of Kysely that take a table, or several, to read. */
const readers = ['selectFrom', 'innerJoin', 'leftJoin', 'crossJoin', 'using', 'from']

/** The functions of `platform/db/database.ts` that prepare or run a statement. */
const runners = ['statement', 'rowStatement', 'runUnprepared', 'deleteInBatches']
/** The methods of Kysely that run a statement. With a function, `execute` runs a transaction. */
const executions = ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow', 'executeQuery']

/** The owners of tables that a migration of another feature created. A table that two features write is the lower one's. */
const movedTo: Readonly<Record<string, string>> = { rings: 'rings', ring_legs: 'rings', users: 'auth' }

/** Tables that a second, higher feature writes: `users` has the login of `auth` and the profile of `members`. */
const alsoWrittenBy: Readonly<Record<string, string>> = { users: 'members' }

/** The feature that has no statement, but SQL for those of the features that import it. */
const conditions = 'visibility'

/** Describes how a file uses the database. */
interface Access {
  readonly runsStatement: boolean
  /** The words that a statement of the file writes to. These are tables, and words after `update` in other clauses. */
  readonly written: readonly string[]
  /** The words that a statement of the file reads from. */
  readonly read: readonly string[]
  /** The features that the file imports. */
  readonly imported: readonly string[]
}

function accessOf(file: string, text: string): Access {
  let runsStatement = false
  const written: string[] = []
  const read: string[] = []
  const readSql = (sql: string) => {
    for (const [, word = ''] of sql.matchAll(
      /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(\w+)/g,
    ))
      written.push(word)
    for (const [, word = ''] of sql.matchAll(/\b(?:from|join|using)\s+(\w+)/g)) read.push(word)
  }
  const { program, module } = parseSync(file, text)
  new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') readSql(value)
    },
    TemplateLiteral({ quasis }) {
      readSql(quasis.map(({ value }) => value.cooked ?? '').join(' '))
    },
    CallExpression({ callee, arguments: [first, second] }) {
      if (callee.type === 'Identifier') runsStatement ||= runners.includes(callee.name)
      if (callee.type === 'Identifier' && callee.name === 'deleteInBatches' && second?.type === 'Literal')
        written.push(String(second.value))
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { name } = callee.property
      // A table or several, with aliases.
      const tables = first && readers.includes(name) ? text.slice(first.start, first.end) : ''
      for (const [, table = ''] of tables.matchAll(/'(\w+)(?: as \w+)?'/g)) read.push(table)
      const takesFunction = first?.type === 'ArrowFunctionExpression' || first?.type === 'FunctionExpression'
      runsStatement ||= executions.includes(name) && !takesFunction
      if (!builders.includes(name)) return
      runsStatement = true
      if (name !== 'selectFrom' && first?.type === 'Literal')
        written.push(String(first.value).split(' ')[0] ?? '')
    },
  }).visit(program)
  const imported = module.staticImports.flatMap(
    ({ moduleRequest }) => /^#server\/features\/([^/]+)\//.exec(moduleRequest.value)?.[1] ?? [],
  )
  return { runsStatement, written, read, imported }
}

/** Returns the feature that owns each table. The migration that creates it has the feature's name. */
async function tableOwners(): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  for await (const file of glob('server/migrations/*.sql', { cwd: root })) {
    const feature = basename(file, '.sql').replace(/^\d+_/, '').replaceAll('_', '-')
    const text = await readFile(join(root, file), 'utf8')
    for (const [, table = ''] of text.matchAll(/^create (?:unlogged )?table (\w+)/gm))
      owners.set(table, movedTo[table] ?? feature)
  }
  return owners
}

async function accessOfFeatures() {
  const found: (Access & { readonly file: string; readonly feature: string })[] = []
  for await (const file of glob('server/features/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
    const [, , feature = ''] = file.split('/')
    found.push({ file, feature, ...accessOf(file, await readFile(join(root, file), 'utf8')) })
  }
  return found
}

/** Returns the features that a feature imports, also through others. */
function importedBy(feature: string): Set<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    for (const file of features.filter((one) => one.feature === name))
      for (const imported of file.imported)
        if (!found.has(imported)) {
          found.add(imported)
          visit(imported)
        }
  }
  visit(feature)
  return found
}

const owners = await tableOwners()
const features = await accessOfFeatures()

test('a feature runs statements in its queries only, which other features do not import', () => {
  const others = features.filter(({ file }) => !/quer(y|ies)\.ts$/.test(file))
  expect(others.flatMap(({ file, runsStatement }) => (runsStatement ? [file] : []))).toEqual([])
})

test('only the feature that owns a table writes to it', () => {
  const writes = features.flatMap(({ file, feature, written }) =>
    written.flatMap((table) => (owners.has(table) ? [{ file, feature, table }] : [])),
  )
  expect(new Set(writes.map(({ table }) => table))).toEqual(new Set(owners.keys()))
  const foreign = writes.filter(
    ({ feature, table }) => feature !== owners.get(table) && feature !== alsoWrittenBy[table],
  )
  expect(foreign).toEqual([])
})

test('a feature reads no table of a feature that imports it', () => {
  const reads = features.flatMap(({ file, feature, read }) =>
    [...new Set(read)].flatMap((table) => {
      const owner = owners.get(table)
      return owner && owner !== feature && feature !== conditions ? [{ file, feature, table, owner }] : []
    }),
  )
  expect(reads.length).toBeGreaterThan(50)
  expect(reads.filter(({ feature, owner }) => importedBy(owner).has(feature))).toEqual([])
})

test.each([
  ['friendships', ['friends', 'visibility']],
  ['blocks', ['members', 'visibility']],
  ['trade_legs', ['export', 'trades', 'visibility']],
])('%s are read by the feature that writes them, by visibility and the export', (table, readers) => {
  const found = features.flatMap(({ feature, read }) => (read.includes(table) ? [feature] : []))
  expect([...new Set(found)].toSorted()).toEqual(readers)
})

test.each([
  ["db.selectFrom('users as u').select('u.id')", true, [], ['users']],
  ["db.updateTable('users as u').set({ city: null })", true, ['users'], []],
  ['sql`select 1`.execute(tx)', true, [], []],
  ["deleteInBatches(db, 'sessions', sql`expires_at <= now()`)", true, ['sessions'], []],
  ['statement<[], object>(`delete from users where id = any ($1)`)', true, ['users'], ['users']],
  [
    'const part = `insert into\n  threads (member_id) select 1 on conflict do nothing`',
    false,
    ['threads'],
    [],
  ],
  ['db.transaction().execute((tx) => work(tx))', false, [], []],
  ['sql<number>`(select count(*) from friendships)`', false, [], ['friendships']],
  ["db.selectFrom([me(1), 'wants as w']).leftJoin('users', 'id', 'id')", true, [], ['users', 'wants']],
])('the search reads %s', (text, runsStatement, written, read) => {
  expect(accessOf('example.ts', text)).toMatchObject({ runsStatement, written, read })
})
