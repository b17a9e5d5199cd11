import { type RawBuilder, sql } from 'kysely'
import {
  type SuspiciousOrigin,
  type SuspiciousPoster,
  type SuspiciousSender,
  suspicion,
} from '#contract/desk-suspicious.ts'
import { areFriends } from '#server/features/visibility/members.ts'
import type { Db } from '#server/tables.ts'

/** The newest rows of a table that one list reads at most. */
const read = { messages: 50_000, listings: 10_000, registrations: 10_000 }

/** The senders whose conversations are read. Those with the most receivers come first. */
const readSenders = 200

const dayAgo = sql`now() - make_interval(hours => ${sql.lit(suspicion.hours)})`
const daysAgo = sql`now() - make_interval(days => ${sql.lit(suspicion.days)})`

/** Selects the columns of a member `u` with the pause `p`. */
const member = sql`u.id, u.username, u.created_at, u.email_confirmed_at is not null as email_confirmed, u.suspended_at,
  p.ends_at as paused_until`
const withPause = sql`left join pauses p on p.user_id = u.id and p.ends_at > now()`

/**
 * Returns the members who have written to the most strangers. Messages are read apart from other tables, so that a cluster can have them
 * (decision 0065).
 */
export async function listSenders(db: Db): Promise<SuspiciousSender[]> {
  const { rows } = await sql<SuspiciousSender>`
    with recent as materialized (
      select low_id, high_id, sender_id, receiver_id, content, created_at from messages
      where id > (select max(id) from messages) - ${sql.lit(read.messages)} and created_at > ${dayAgo}
        and trade_id is null and not is_withdrawn
    ), busy as materialized (
      select sender_id from recent group by sender_id having count(distinct receiver_id) >= ${sql.lit(suspicion.strangers)}
      order by count(distinct receiver_id) desc, sender_id limit ${sql.lit(readSenders)}
    ), pairs as materialized (
      select distinct low_id, high_id, sender_id, receiver_id from recent join busy using (sender_id)
    ), apart as materialized (
      select p.* from pairs p where not ${sql.raw(areFriends('p.sender_id', 'p.receiver_id'))}
    ), answered as materialized (
      select distinct p.sender_id, p.receiver_id from apart p
      join messages m on m.low_id = p.low_id and m.high_id = p.high_id and m.sender_id = p.receiver_id
    ), counted as materialized (
      select r.sender_id, count(distinct r.receiver_id)::int as receiver_count,
        count(distinct lower(regexp_replace(r.content, '[^[:alpha:]]', '', 'g')))::int as text_count,
        min(r.created_at) as first_at, max(r.created_at) as last_at
      from recent r join apart using (sender_id, receiver_id)
      left join answered a using (sender_id, receiver_id)
      where a.sender_id is null
      group by r.sender_id having count(distinct r.receiver_id) >= ${sql.lit(suspicion.strangers)}
    )
    select ${member}, c.receiver_count, c.text_count, c.first_at, c.last_at
    from counted c join users u on u.id = c.sender_id ${withPause}
    order by c.receiver_count desc, c.text_count, c.last_at - c.first_at, u.id
    limit ${sql.lit(suspicion.rows)}`.execute(db)
  return rows
}

/** Returns the members who have posted the most listings, or the most with one title. */
export async function listPosters(db: Db): Promise<SuspiciousPoster[]> {
  const { rows } = await sql<SuspiciousPoster>`
    with recent as materialized (
      select owner_id, title from listings where created_at > ${dayAgo}
      order by created_at desc limit ${sql.lit(read.listings)}
    ), equal as (
      select owner_id, count(*) as equal_count, min(title) as title from recent group by owner_id, lower(title)
    ), counted as (
      select owner_id, sum(equal_count)::int as listing_count, max(equal_count)::int as equal_count,
        (array_agg(title order by equal_count desc, title))[1] as title
      from equal group by owner_id
      having sum(equal_count) >= ${sql.lit(suspicion.listings)} or max(equal_count) >= ${sql.lit(suspicion.equalListings)}
    )
    select ${member}, c.listing_count, c.equal_count, c.title
    from counted c join users u on u.id = c.owner_id ${withPause}
    order by c.equal_count desc, c.listing_count desc, u.id
    limit ${sql.lit(suspicion.rows)}`.execute(db)
  return rows
}

/** Returns the networks with the most registrations. */
export async function listBusyNetworks(db: Db): Promise<SuspiciousOrigin[]> {
  return listOrigins(
    db,
    'network',
    sql`select u.id, u.username, u.email_confirmed_at, u.suspended_at, r.created_at, r.network as value
      from (
        select * from registration_networks where created_at > ${daysAgo}
        order by created_at desc limit ${sql.lit(read.registrations)}
      ) r join users u on u.id = r.user_id`,
  )
}

/** Returns the mail domains with the most registrations. */
export async function listBusyDomains(db: Db): Promise<SuspiciousOrigin[]> {
  return listOrigins(
    db,
    'domain',
    sql`select id, username, email_confirmed_at, suspended_at, created_at, lower(split_part(email, '@', 2)) as value
      from users where created_at > ${daysAgo} and email is not null
      order by created_at desc limit ${sql.lit(read.registrations)}`,
  )
}

async function listOrigins(
  db: Db,
  kind: 'network' | 'domain',
  registrations: RawBuilder<unknown>,
): Promise<SuspiciousOrigin[]> {
  const { rows } = await sql<SuspiciousOrigin>`
    with registered as materialized (${registrations}), counted as (
      select value, count(*)::int as registration_count,
        count(*) filter (where email_confirmed_at is null)::int as unconfirmed_count,
        count(*) filter (where suspended_at is not null)::int as suspended_count, max(created_at) as last_at,
        (array_agg(json_build_object('id', id, 'username', username) order by created_at desc, id desc))[:${sql.lit(suspicion.members)}] as members
      from registered group by value having count(*) >= ${sql.lit(suspicion.registrations)}
      order by count(*) desc, max(created_at) desc limit ${sql.lit(suspicion.rows)}
    )
    select c.value, c.registration_count, c.unconfirmed_count, c.suspended_count, c.last_at, to_json(c.members) as members,
      exists (
        select from bans b where b.kind = ${kind} and (b.value = c.value or (b.kind = 'domain' and right(c.value, length(b.value) + 1) = '.' || b.value)) and b.lifted_at is null and (b.ends_at is null or b.ends_at > now())
      ) as is_banned
    from counted c order by c.registration_count desc, c.last_at desc`.execute(db)
  return rows
}
