import { type Insertable, sql } from 'kysely'
import type { Notice, NoticeKind } from '#contract/notices.ts'
import { isoTimestamp } from '#server/platform/db/expressions.ts'
import type { Db, Tables, Tx } from '#server/tables.ts'

/** Returns a notice `c` as JSON. One of the previous release has the title of its listing only. */
export const noticeAsJson = `json_build_object('kind', c.kind, 'rule', c.rule, 'text', c.text, 'ends_at', ${isoTimestamp('c.ends_at')}, 'listings', coalesce(c.listings,
  case when c.title is null then '[]' else jsonb_build_array(jsonb_build_object('title', c.title, 'category', null)) end))`

export async function insertNotice(tx: Tx, notice: Insertable<Tables['notices']>): Promise<number> {
  const { id } = await tx.insertInto('notices').values(notice).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function findNotice(db: Db, id: number): Promise<Notice | undefined> {
  const row = await db
    .selectFrom('notices as c')
    .select(sql<Notice>`${sql.raw(noticeAsJson)}`.as('notice'))
    .where('c.id', '=', id)
    .executeTakeFirst()
  return row?.notice
}

/** Serializes the reminders of a kind until the transaction ends. */
export async function lockReminders(tx: Tx, kind: NoticeKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: reminders ' || ${kind}::text, 0))`.execute(
    tx,
  )
}

/** Returns whether a member has not read a notice of a kind. */
export async function hasUnreadNotice(tx: Tx, userId: number, kind: NoticeKind): Promise<boolean> {
  const unread = await tx
    .selectFrom('notifications as n')
    .innerJoin('notices as c', 'c.id', 'n.about_id')
    .select('c.id')
    .where('n.user_id', '=', userId)
    .where('n.kind', '=', 'notice')
    .where('n.read_at', 'is', null)
    .where('c.user_id', '=', userId)
    .where('c.kind', '=', kind)
    .limit(1)
    .executeTakeFirst()
  return unread !== undefined
}
