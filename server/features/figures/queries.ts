import { sql } from 'kysely'
import { categories, loginLifetimeMs } from '#contract/constants.ts'
import type { FigureKind } from '#contract/figures.ts'
import type { Db, Row } from '#server/tables.ts'

/** Counts by kind. */
export type Counts = Readonly<Partial<Record<FigureKind, number>>>

/** Returns which days some kinds were counted on. */
export function listCountedDays(db: Db, from: string) {
  return db.selectFrom('daily_figures').select(['day', 'kind']).where('day', '>=', from).execute()
}

export function listFigures(db: Db, from: string): Promise<Row<'daily_figures'>[]> {
  return db.selectFrom('daily_figures').selectAll().where('day', '>=', from).execute()
}

export async function upsertFigures(db: Db, day: string, counts: Counts): Promise<void> {
  const kinds = Object.keys(counts)
  await sql`
    insert into daily_figures (day, kind, count)
    select ${day}::date, kind, count from unnest(${kinds}::text[], ${Object.values(counts)}::bigint[]) counted (kind, count)
    on conflict (day, kind) do update set count = excluded.count`.execute(db)
}

export async function incrementFigure(db: Db, day: string, kind: FigureKind): Promise<void> {
  await db
    .insertInto('daily_figures')
    .values({ day, kind, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['day', 'kind']).doUpdateSet({ count: sql<number>`daily_figures.count + 1` }),
    )
    .execute()
}

/** Returns a condition on a time of the days from one up to another. */
function within(column: string, from: string, until: string) {
  const time = sql.ref(column)
  return sql`(${time} >= ${from}::date and ${time} < ${until}::date)`
}

export function countRegistrations(db: Db, from: string, until: string): Promise<Counts> {
  return only(
    sql<Counts>`
      select count(*) as registrations, count(email_confirmed_at) as registrations_confirmed
      from users where ${within('created_at', from, until)}`.execute(db),
  )
}

/** Counts the members who logged in or stored something. A login lasts for a fixed time, so its end says when it began. */
export function countActiveMembers(db: Db, from: string, until: string): Promise<Counts> {
  const lifetime = sql`make_interval(secs => ${loginLifetimeMs / 1000})`
  return only(
    sql<Counts>`
      with senders as materialized (
        select distinct sender_id from messages where ${within('created_at', from, until)}
      )
      select count(distinct id) as active_members from (
        select sender_id as id from senders
        union all select owner_id from listings where ${within('created_at', from, until)}
        union all select user_id from wants where ${within('created_at', from, until)}
        union all select requester_id from trades where ${within('created_at', from, until)}
        union all select user_id from sessions
          where expires_at >= ${from}::date + ${lifetime} and expires_at < ${until}::date + ${lifetime}
      ) active`.execute(db),
  )
}

export function countListings(db: Db, from: string, until: string): Promise<Counts> {
  const { produce, seeds, plants } = categories
  return only(
    sql<Counts>`
      select count(*) filter (where category_id = ${produce}) as listings_produce,
        count(*) filter (where category_id = ${seeds}) as listings_seeds,
        count(*) filter (where category_id = ${plants}) as listings_plants,
        count(*) filter (where category_id is null) as listings_uncategorized
      from listings where ${within('created_at', from, until)}`.execute(db),
  )
}

export function countMatches(db: Db, from: string, until: string): Promise<Counts> {
  return only(
    sql<Counts>`select count(*) as matches from matches where ${within('created_at', from, until)}`.execute(
      db,
    ),
  )
}

/** Counts the trades that began, and those whose last step was on these days by their state. */
export function countTrades(db: Db, from: string, until: string): Promise<Counts> {
  return only(
    sql<Counts>`
      select (select count(*) from trades where ${within('created_at', from, until)}) as trades_begun,
        count(*) filter (where state = 'done') as trades_done,
        count(*) filter (where state = 'declined') as trades_declined,
        count(*) filter (where state = 'withdrawn') as trades_withdrawn,
        count(*) filter (where state = 'lapsed') as trades_lapsed,
        coalesce(round(sum(extract(epoch from updated_at - created_at) / 3600) filter (where state = 'done')), 0) as handover_hours
      from trades where ${within('updated_at', from, until)}`.execute(db),
  )
}

/** Counts the messages, and those that began a conversation. */
export function countMessages(db: Db, from: string, until: string): Promise<Counts> {
  return only(
    sql<Counts>`
      with pairs as materialized (
        select low_id, high_id, min(id) as first, count(*) as sent from messages
        where ${within('created_at', from, until)} group by low_id, high_id
      )
      select coalesce(sum(sent), 0) as messages, count(*) filter (where not exists (
          select from messages e where e.low_id = p.low_id and e.high_id = p.high_id and e.id < p.first
        )) as first_contacts
      from pairs p`.execute(db),
  )
}

/** Counts the cases of reports: opened, closed, and open at the end of the days. */
export function countReports(db: Db, from: string, until: string): Promise<Counts> {
  return only(
    sql<Counts>`
      select (select count(*) from report_cases where ${within('created_at', from, until)}) as reports_opened,
        (select count(*) from report_cases where closed_at is null and created_at < ${until}::date)
          + (select count(*) from report_cases where closed_at >= ${until}::date and created_at < ${until}::date) as reports_open,
        count(*) as reports_closed,
        coalesce(round(sum(extract(epoch from closed_at - created_at) / 3600)), 0) as resolution_hours
      from report_cases where ${within('closed_at', from, until)}`.execute(db),
  )
}

async function only(result: Promise<{ rows: Counts[] }>): Promise<Counts> {
  const { rows } = await result
  return rows[0] ?? {}
}
