import { sql } from 'kysely'
import type { Language } from '#contract/languages.ts'
import { emptyFacts, type Notification } from '#contract/notifications.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { areUnblocked, hasBlocked } from '#server/features/visibility/members.ts'
import { deleteInBatches, statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row } from '#server/tables.ts'
import type { AnyKind, Declarations, DeliveryKey } from './kinds.ts'

/** A notification to store. */
export type NewNotification = Pick<
  Row<'notifications'>,
  'user_id' | 'from_id' | 'kind' | 'about_type' | 'about_id' | 'data'
>

/** A notification with its receiver. */
export type Received = Notification & { readonly user_id: number }

type FactRow = Omit<Received, keyof typeof emptyFacts> & {
  facts: Partial<Notification>
  language: Language | null
}

function toReceived({ facts, language, ...row }: FactRow, kind: AnyKind | undefined): Received {
  return { ...row, ...emptyFacts, ...(kind?.render?.(facts, language) ?? facts) }
}

const columns = (facts: string) =>
  `n.id, n.user_id, n.kind, n.created_at, n.read_at, (select language from users where id = n.user_id), ${briefMember('o')} as user,
   ${facts} as facts`

/** A lateral join, because PostgreSQL plans a plain one for many rows as a join with the whole table. */
const withMember = `join lateral (select * from users where id = n.from_id limit 1) o on true`

/** Holds unless the member whom notification `n` is about is suspended, or the reader has blocked them. */
const isFromShown = `o.suspended_at is null and not ${hasBlocked('n.user_id', 'n.from_id')}`

/** Selects the facts of notification `n` of any declared kind. A kind of another release has none. */
function factsOfAll({ kinds }: Declarations): string {
  const cases = Array.from(kinds.values(), ({ name, facts }) => `when '${name}' then (${facts})`)
  return `case n.kind ${cases.join('\n')} end`
}

const statements = new Map<string, ReturnType<typeof statement<[rows: string], FactRow>>>()

function insertStatement({ name, facts, repeatHours }: AnyKind) {
  const known = statements.get(name)
  if (known) return known
  const condition =
    repeatHours === undefined ? '' : `where notifications.read_at < now() - interval '${repeatHours} hours'`
  const created = statement<[rows: string], FactRow>(`
    with n as (
      insert into notifications (user_id, from_id, kind, about_type, about_id, data)
      select x.user_id, x.from_id, x.kind, x.about_type, x.about_id, x.data from json_to_recordset($1::json) as x (
        user_id bigint, from_id bigint, kind text, about_type text, about_id bigint, data jsonb)
      cross join lateral (select from users where id = x.user_id limit 1) u
      cross join lateral (select from users where id = x.from_id limit 1) o
      on conflict (user_id, about_type, about_id, kind, from_id) where data is not null
      do update set id = default, created_at = now(), read_at = null, data = excluded.data ${condition}
      returning *
    )
    select ${columns(`(${facts})`)} from n ${withMember}`)
  statements.set(name, created)
  return created
}

/** Stores notifications of a kind. Each replaces an older one with the same subject. Deleted members get none. Returns those that are shown. */
export async function insertNotifications(
  tx: Db,
  kind: AnyKind,
  rows: readonly NewNotification[],
): Promise<Received[]> {
  const stored = await insertStatement(kind)(tx, JSON.stringify(rows))
  return stored.filter(({ facts }) => facts !== null).map((row) => toReceived(row, kind))
}

const records = (
  rows: readonly NewNotification[],
) => sql`json_to_recordset(${JSON.stringify(rows)}::json) as x (
  user_id bigint, from_id bigint, about_type text, about_id bigint)`

const sameSubject = sql.raw(`n.user_id = x.user_id and n.about_type = x.about_type and n.about_id = x.about_id
  and n.from_id = x.from_id and n.data is not null`)

/** Deletes the notifications of other kinds that these replace. */
export async function deleteReplaced(
  tx: Db,
  kinds: readonly string[],
  rows: readonly NewNotification[],
): Promise<void> {
  await sql`
    delete from notifications where user_id = any (array(select user_id from ${records(rows)})) and id = any (array(
      select n.id from ${records(rows)} cross join lateral (
        select id from notifications n where ${sameSubject} and n.kind = any (${kinds}) limit ${sql.lit(kinds.length)}
      ) n))`.execute(tx)
}

/** Returns the subjects about which the members have a notification of this kind. */
export async function listNotified(tx: Db, rows: readonly NewNotification[]) {
  const { rows: found } = await sql<Pick<NewNotification, 'user_id' | 'about_id'>>`
    select n.user_id, n.about_id from ${records(rows)} join notifications n on ${sameSubject}
    where n.kind = ${rows[0]?.kind ?? ''}`.execute(tx)
  return found
}

/** Deletes a member's notifications of these kinds from another member whose data contains some values. */
export async function deleteFrom(
  tx: Db,
  userId: number,
  fromId: number,
  kinds: readonly string[],
  data: object,
): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('from_id', '=', fromId)
    .where('user_id', '=', userId)
    .where('kind', '=', anyOf(kinds))
    .where(sql<boolean>`data @> ${JSON.stringify(data)}::jsonb`)
    .execute()
}

/** Marks a member's notifications of a kind from another member as read. */
export async function updateReadFrom(tx: Db, userId: number, fromId: number, kind: string): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ read_at: new Date().toISOString() })
    .where('from_id', '=', fromId)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('read_at', 'is', null)
    .execute()
}

/** Selects the notifications that a member has read. */
export interface ReadFilter {
  readonly upTo: number
  readonly kinds: readonly string[] | undefined
  readonly about: { readonly type: string; readonly ids: readonly number[] } | undefined
}

const maxCounted = 100

/** Returns the statements that read notifications of all kinds. */
export function notificationQueries(declarations: Declarations) {
  const facts = factsOfAll(declarations)
  const isShown = `${isFromShown} and (${facts}) is not null`

  /** Filters the rows after their facts are known, so that these are computed once. */
  const shownRows = (where: string) => `select * from (
      select ${columns(facts)} from notifications n ${withMember}
      where ${where} and ${isFromShown} order by n.id desc
    ) shown where facts is not null`
  const page = statement<[userId: number, before: number, limit: number], FactRow>(
    `${shownRows('n.user_id = $1 and n.id < $2')} limit $3`,
  )
  const unsent = statement<
    [
      userId: number,
      kinds: readonly string[],
      subject: number,
      channel: string,
      topic: string,
      limit: number,
    ],
    FactRow
  >(
    `${shownRows(`n.user_id = $1 and n.kind = any ($2::text[]) and ($3::bigint = 0 or n.about_id = $3) and n.read_at is null
      and n.id > coalesce((select sent_id from deliveries where (user_id, channel, topic, subject_id) = ($1, $4, $5, $3)), 0)
      and ${areUnblocked('n.user_id', 'n.from_id')}`)} limit $6`,
  )
  const unread = statement<[userId: number], { count: number }>(
    `select count(*) from (
       select 1 from notifications n ${withMember}
       where n.user_id = $1 and n.read_at is null and ${isShown} limit ${maxCounted}
     ) counted`,
  )

  const received = (rows: FactRow[]) => rows.map((row) => toReceived(row, declarations.kinds.get(row.kind)))

  return {
    /** Returns notifications before an id, newest first. */
    async list(db: Db, userId: number, before: number, limit: number): Promise<Notification[]> {
      return received(await page(db, userId, before, limit))
    },

    /** Returns unread notifications of some kinds that a delivery has not sent, newest first. A subject of 0 stands for all. */
    async listUnsent(
      db: Db,
      { user_id, channel, topic, subject_id }: DeliveryKey,
      kinds: string[],
      limit: number,
    ): Promise<Notification[]> {
      return received(await unsent(db, user_id, kinds, subject_id, channel, topic, limit))
    },

    /** Counts the unread notifications that are shown, up to 100. */
    async countUnread(db: Db, userId: number): Promise<number> {
      const [counted] = await unread(db, userId)
      return counted?.count ?? 0
    },

    /** Marks shown notifications as read. Returns those that were unread. */
    async updateRead(tx: Db, userId: number, { upTo, kinds, about }: ReadFilter) {
      const { rows } = await sql<Pick<Row<'notifications'>, 'kind' | 'data'>>`
        update notifications set read_at = now() where user_id = ${userId} and id = any (array(
          select n.id from notifications n ${sql.raw(withMember)}
          where n.user_id = ${userId} and n.id <= ${upTo} and n.read_at is null
            and (${kinds ?? null}::text[] is null or n.kind = any (${kinds ?? null}))
            and (${about?.type ?? null}::text is null or n.about_type = ${about?.type ?? null} and n.about_id = any (${about?.ids ?? []}))
            and ${sql.raw(isShown)}
        ))
        returning kind, data`.execute(tx)
      return rows
    },
  }
}

export async function deleteOldNotifications(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, 'notifications', sql`created_at < ${before}`)
}

/** Fills the columns that the previous release did not know in some rows. Returns how many. */
export async function completeNotifications(tx: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update notifications set data = null where ctid = any (array(
      select ctid from notifications where data is null limit ${limit} for update skip locked
    ))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
