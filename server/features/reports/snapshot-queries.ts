import { sql } from 'kysely'
import type { Snapshot } from '#contract/report-cases.ts'
import type { PhotoRow } from '#server/features/images/paths.ts'
import { photoRows } from '#server/features/images/paths.ts'
import type { Db, Tx } from '#server/tables.ts'

interface SubjectRow {
  title: string | null
  text: string | null
  photos: PhotoRow[] | null
}

const photosWhere = (condition: string) => sql.raw<PhotoRow[] | null>(photoRows(condition)).as('photos')

export async function updateSnapshot(tx: Tx, id: number, snapshot: Snapshot): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ snapshot: JSON.stringify(snapshot) })
    .where('id', '=', id)
    .execute()
}

/** Deletes snapshots of reports that were closed so many days ago. Returns the ids of the reports. */
export async function deleteOldSnapshots(tx: Tx, days: number, limit: number): Promise<number[]> {
  const reports = await tx
    .updateTable('reports')
    .set({ snapshot: null })
    .where(
      'id',
      '=',
      sql<number>`any (array(
        select r.id from reports r join report_cases c on c.id = r.case_id
        where r.snapshot is not null and c.closed_at <= now() - make_interval(days => ${days})
        limit ${limit} for update of r skip locked
      ))`,
    )
    .returning('id')
    .execute()
  return reports.map(({ id }) => id)
}

export function findListingForSnapshot(db: Db, id: number): Promise<SubjectRow | undefined> {
  return db
    .selectFrom('listings')
    .select(['title', 'description as text', photosWhere('i.listing_id = listings.id')])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findMemberForSnapshot(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['username as title', sql<string>`concat_ws(' ', first_name, last_name)`.as('text')])
    .select('picture_name')
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findThanksForSnapshot(db: Db, id: number) {
  return db
    .selectFrom('thanks')
    .select(['listing_title as title', 'text'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findMessageForSnapshot(db: Db, id: number) {
  return db
    .selectFrom('messages')
    .select(['sender_id', 'receiver_id', 'content'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export type SnapshotMessageRow = Awaited<ReturnType<typeof listMessagesAround>>[number]

/** Returns messages between two members in their order: so many up to an id and so many after it. */
export async function listMessagesAround(
  db: Db,
  [one, other]: readonly [number, number],
  id: number,
  count: { readonly before: number; readonly after: number },
) {
  // The page of messages comes first, so that a cluster asks one shard (decision 0065).
  const between = (side: 'before' | 'after') => {
    const order = side === 'before' ? 'desc' : 'asc'
    return db
      .with(
        (cte) => cte('m').materialized(),
        (db) =>
          db
            .selectFrom('messages')
            .select(['id', 'sender_id', 'content', 'created_at'])
            .where('low_id', '=', Math.min(one, other))
            .where('high_id', '=', Math.max(one, other))
            .where('id', side === 'before' ? '<=' : '>', id)
            .orderBy('id', order)
            .limit(count[side]),
      )
      .selectFrom('m')
      .select(['id', 'sender_id', 'content', 'created_at', photosWhere('i.message_id = m.id')])
      .orderBy('id', order)
      .execute()
  }
  const before = await between('before')
  const after = count.after > 0 ? await between('after') : []
  return [...before.reverse(), ...after]
}
