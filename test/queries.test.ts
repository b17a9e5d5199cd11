import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The methods of Kysely that begin a statement. Each takes a table. */
const builders = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']
/** The functions of `platform/db/database.ts` that prepare or run a statement. */
const runners = ['statement', 'rowStatement', 'runUnprepared', 'deleteInBatches']
/** The methods of Kysely that run a statement. With a function, `execute` runs a transaction. */
const executions = ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow', 'executeQuery']

/** Tables that a second feature writes. The password and the confirmation of the address are columns of `users`, but `auth` has their rules. */
const alsoWrittenBy: Readonly<Record<string, string>> = { users: 'auth' }

/** Describes how a file uses the database. */
interface Access {
  readonly runsStatement: boolean
  /** The words that a statement of the file writes to. These are tables, and words after `update` in other clauses. */
  readonly written: readonly string[]
}

function accessOf(file: string, text: string): Access {
  let runsStatement = false
  const written: string[] = []
  const readSql = (sql: string) => {
    for (const [, word = ''] of sql.matchAll(
      /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(\w+)/g,
    ))
      written.push(word)
  }
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
      const takesFunction = first?.type === 'ArrowFunctionExpression' || first?.type === 'FunctionExpression'
      runsStatement ||= executions.includes(name) && !takesFunction
      if (!builders.includes(name)) return
      runsStatement = true
      if (name !== 'selectFrom' && first?.type === 'Literal')
        written.push(String(first.value).split(' ')[0] ?? '')
    },
  }).visit(parseSync(file, text).program)
  return { runsStatement, written }
}

/** Returns the feature that owns each table. The migration that creates it has the feature's name. */
async function tableOwners(): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  for await (const file of glob('server/migrations/*.sql', { cwd: root })) {
    const feature = basename(file, '.sql').replace(/^\d+_/, '').replaceAll('_', '-')
    const text = await readFile(join(root, file), 'utf8')
    for (const [, table = ''] of text.matchAll(/^create (?:unlogged )?table (\w+)/gm))
      owners.set(table, feature)
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

test.each([
  ["db.selectFrom('users as u').select('u.id')", true, []],
  ["db.updateTable('users as u').set({ city: null })", true, ['users']],
  ['sql`select 1`.execute(tx)', true, []],
  ["deleteInBatches(db, 'sessions', sql`expires_at <= now()`)", true, ['sessions']],
  ['statement<[], object>(`delete from users where id = any ($1)`)', true, ['users']],
  ['const part = `insert into\n  threads (member_id) select 1 on conflict do nothing`', false, ['threads']],
  ['db.transaction().execute((tx) => work(tx))', false, []],
  ['sql<number>`(select count(*) from friendships)`', false, []],
])('the search reads %s', (text, runsStatement, written) => {
  expect(accessOf('example.ts', text)).toEqual({ runsStatement, written })
})
