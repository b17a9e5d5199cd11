import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { NoticedThing } from '#contract/report-cases.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row, Tables, Tx } from '#server/tables.ts'

/** Lets the transactions that store reports of a member run one after the other. */
export async function lockReports(tx: Tx, reporter: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: reports', ${reporter}))`.execute(tx)
}

export type NewRow = Insertable<Tables['reports']> &
  Pick<Row<'reports'>, 'reporter_id' | 'listing_id' | 'user_id' | 'message_id' | 'thanks_id'>

export async function insertReport(tx: Tx, report: NewRow): Promise<number> {
  const { id } = await tx.insertInto('reports').values(report).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns whether the member, or the site, has sent the same report in the last 24 hours. */
export async function hasSameReport(tx: Tx, { reporter_id, ...report }: NewRow): Promise<boolean> {
  const same = await tx
    .selectFrom('reports')
    .select('id')
    .where('reporter_id', 'is not distinct from', reporter_id)
    .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
    .where((eb) =>
      eb.and([
        eb('listing_id', 'is not distinct from', report.listing_id ?? null),
        eb('user_id', 'is not distinct from', report.user_id ?? null),
        eb('message_id', 'is not distinct from', report.message_id ?? null),
        eb('thanks_id', 'is not distinct from', report.thanks_id ?? null),
        eb('reason', '=', report.reason),
      ]),
    )
    .executeTakeFirst()
  return same !== undefined
}

/** Removes deleted messages from reports. */
export async function forgetMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.updateTable('reports').set({ message_id: null }).where('message_id', '=', anyOf(ids)).execute()
}

export interface ReportRow {
  id: number
  created_at: string
  reason: string
  reporter: string | null
  noticed: NoticedThing | null
  listing_id: number | null
  listing_title: string | null
  /** The reported member, or the owner of the reported listing. */
  user_id: number | null
  message_id: number | null
  thanks_id: number | null
  /** The author and the text of the message or the thank-you. */
  sender_id: number | null
  content: string | null
  /** The number of photos of the listing or the message. */
  photo_count: number
  /** The reported member, the listing's owner, or the author. */
  username: string | null
}

/** Holds for `images` of the listing or message of `reports`. */
const isReported = sql<boolean>`(images.listing_id = reports.listing_id or images.message_id = reports.message_id)`

/** Returns the photos of the listing or message of a report, in their order. */
export async function listReportedPhotos(db: Db, id: number): Promise<{ name: string; widths: number[] }[]> {
  return db
    .selectFrom('reports')
    .innerJoin('images', (join) => join.on(isReported))
    .select(['images.name', 'images.widths'])
    .where('reports.id', '=', id)
    .orderBy('images.position')
    .execute()
}

/** Selects a page of reports with what they are about. Reads their messages first, which may be on another server (decision 0065). */
function selectReports(db: Db, page: SelectQueryBuilder<Tables, 'reports', Selectable<Tables['reports']>>) {
  return db
    .with(
      (cte) => cte('reports').materialized(),
      () => page,
    )
    .with(
      (cte) => cte('messages').materialized(),
      (tx) =>
        tx
          .selectFrom('messages')
          .select(['id', 'sender_id', 'content'])
          .where('id', '=', sql<number>`any (array(select message_id from reports))`),
    )
    .selectFrom('reports')
    .leftJoin('users as reporter', 'reporter.id', 'reports.reporter_id')
    .leftJoin('listings', 'listings.id', 'reports.listing_id')
    .leftJoin('users as owner', 'owner.id', 'listings.owner_id')
    .leftJoin('messages', 'messages.id', 'reports.message_id')
    .leftJoin('thanks', 'thanks.id', 'reports.thanks_id')
    .leftJoin('users as writer', (join) =>
      join.on((eb) => eb('writer.id', '=', eb.fn.coalesce('messages.sender_id', 'thanks.author_id'))),
    )
    .leftJoin('users as reported', 'reported.id', 'reports.user_id')
    .select((eb) => [
      'reports.id',
      'reports.created_at',
      'reports.reason',
      'reporter.username as reporter',
      'reports.noticed',
      'reports.listing_id',
      'listings.title as listing_title',
      'reports.user_id',
      'reports.message_id',
      'reports.thanks_id',
      'writer.id as sender_id',
      eb.fn.coalesce('messages.content', 'thanks.text').as('content'),
      sql<number>`(select count(*) from images where ${isReported})`.as('photo_count'),
      eb.fn.coalesce('reported.username', 'owner.username', 'writer.username').as('username'),
    ])
}

export async function findReport(db: Db, id: number): Promise<ReportRow | undefined> {
  const page = db.selectFrom('reports').selectAll().where('id', '=', id)
  return selectReports(db, page).executeTakeFirst()
}

/** Returns reports, newest first. */
export async function listReports(db: Db, limit: number): Promise<ReportRow[]> {
  const page = db.selectFrom('reports').selectAll().orderBy('id', 'desc').limit(limit)
  return selectReports(db, page).orderBy('reports.id', 'desc').execute()
}
