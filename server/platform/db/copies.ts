import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** A table in a file: gzipped lines in PostgreSQL's text format, which every version reads. */
export interface CopiedTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
}

export interface SequenceValue {
  readonly schema: string
  readonly name: string
  readonly value: string
}

/** Returns the file of a table, relative to the folder of a backup. */
export function tableFile({ schema, name }: Pick<CopiedTable, 'schema' | 'name'>): string {
  return join('tables', `${schema}.${name}.copy.gz`)
}

type Table = Pick<CopiedTable, 'schema' | 'name' | 'columns'> & { readonly is_logged: boolean }

/**
 * Returns the tables of some schemas, each after those that its foreign keys refer to, without tables of extensions. A partitioned
 * table is one table.
 */
export async function listTables(client: pg.Client, schemas: readonly string[]): Promise<Table[]> {
  const { rows: tables } = await client.query<Table & { id: string; needs: string[] }>(
    `select c.oid::text as id, n.nspname as schema, c.relname as name, c.relpersistence = 'p' as is_logged,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       array(select f.confrelid::text from pg_constraint f
         where f.contype = 'f' and f.confrelid <> c.oid
           and coalesce(pg_partition_root(f.conrelid)::oid, f.conrelid) = c.oid) as needs
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by n.nspname, c.relname`,
    [schemas],
  )
  const ordered: typeof tables = []
  const orderedIds = new Set<string>()
  const known = new Set(tables.map(({ id }) => id))
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ id, needs }) =>
        !orderedIds.has(id) && needs.every((need) => orderedIds.has(need) || !known.has(need)),
    )
    if (next.length === 0) throw new Error('The foreign keys of some tables form a cycle')
    for (const table of next) orderedIds.add(table.id)
    ordered.push(...next)
  }
  return ordered.map(({ id, needs, ...table }) => table)
}

/** Writes a table to its file below the folder. */
export async function copyOut(client: pg.Client, table: Table, folder: string): Promise<CopiedTable> {
  const rows = client.query(to(`copy (select ${columnsOf(table)} from ${nameOf(table)}) to stdout`))
  await pipeline(rows, createGzip({ level: 3 }), createWriteStream(join(folder, tableFile(table))))
  return { schema: table.schema, name: table.name, columns: table.columns, rows: rows.rowCount }
}

/** Reads a table from its file below the folder. Throws if the number of rows differs from the number that was written. */
export async function copyIn(client: pg.Client, table: CopiedTable, folder: string): Promise<void> {
  const rows = client.query(from(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`))
  await pipeline(createReadStream(join(folder, tableFile(table))), createGunzip(), rows)
  if (rows.rowCount !== table.rows)
    throw new Error(`${nameOf(table)} has ${rows.rowCount} rows instead of the ${table.rows} in the manifest`)
}

/** Returns the values of the sequences of some schemas. They are never behind the rows of a snapshot. */
export async function listSequences(client: pg.Client, schemas: readonly string[]): Promise<SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(
    `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
     where schemaname = any($1) and last_value is not null order by 1, 2`,
    [schemas],
  )
  return rows
}

export async function setSequence(client: pg.Client, { schema, name, value }: SequenceValue): Promise<void> {
  await client.query('select setval($1::regclass, $2)', [nameOf({ schema, name }), value])
}

/** Returns the qualified and escaped name of a table or a sequence. */
export function nameOf({ schema, name }: Pick<CopiedTable, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
}

function columnsOf({ columns }: Pick<CopiedTable, 'columns'>): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ')
}
