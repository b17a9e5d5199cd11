import { expect, test } from 'vitest'
import { distributionFaults } from './distribution.ts'

test.each([
  [
    'a page that is read before other tables are joined',
    `with m as materialized (select id, sender_id from messages where low_id = $1 and high_id = $2 order by id desc limit 50)
     select m.id, u.username from m join users u on u.id = m.sender_id`,
  ],
  [
    'a join with a common table expression',
    `with t as materialized (select member_id, last_message_id from threads where member_id = $1),
     m as materialized (select m.id from t join messages m on m.low_id = t.member_id and m.id = t.last_message_id)
     select * from m`,
  ],
  [
    'an insert of what another expression has read',
    `with sent as (select $1::bigint as id, now() as at), stored as (
       insert into messages (low_id, created_at) select id, at from sent on conflict do nothing returning id
     ) select id from stored`,
  ],
  [
    'an update with values and immutable functions',
    `insert into threads (member_id) select $1 on conflict (member_id) do update set
     unread_since = greatest(excluded.unread_since, (threads.mailed_at at time zone 'UTC' + make_interval(mins => $2)) at time zone 'UTC')`,
  ],
  [
    'a lock of one member’s rows',
    `update threads set mailed_at = $1 where member_id = $2 and partner_id = any (array(
       select partner_id from threads where member_id = $2 and mailed_at is null for update skip locked))`,
  ],
  [
    'rows that are combined for a parameter',
    `with m as materialized (select id from messages where low_id = $1)
     select id from m where id in (select high_id from friendships where low_id = $1 union all select low_id from friendships where high_id = $1)`,
  ],
  [
    'a lock whose result has a type',
    `with locked as materialized (select pg_advisory_xact_lock($1) is not null as is_locked)
     insert into messages (low_id) select 1 from locked`,
  ],
  ['any statement without the distributed tables', 'update users u set city = now()::text from listings'],
])('accepts %s', async (_, statement) => {
  expect(await distributionFaults(statement)).toEqual([])
})

test.each([
  ['select * from messages m join users u on u.id = m.sender_id', 'joins messages, users'],
  ['select * from messages m, threads t where t.last_message_id = m.id', 'joins messages, threads'],
  ['select exists (select from messages where id = i.message_id) from images i', 'joins images, messages'],
  ['delete from messages m using threads t where t.member_id = m.low_id', 'joins messages, threads'],
  [
    'with m as (select id from messages) select * from m join users u on u.id = m.id',
    'reads messages in a common table expression that is not materialized',
  ],
  [
    'with m as materialized (select id from messages join users u using (id)) select * from m',
    'joins messages, users',
  ],
  [
    'with x as (select 1) select (with messages as (select 1) select 1 from messages), id from threads, users',
    'joins threads, users',
  ],
  [
    `update threads set mailed_at = $1 where ctid = any (array(
       select ctid from threads where mailed_at is null limit 50 for update skip locked))`,
    'locks rows of threads on several shards',
  ],
  [
    'with t as materialized (select member_id from threads where member_id > $1 for update) select * from t',
    'locks rows of threads on several shards',
  ],
  [
    `with m as materialized (select id, sender_id from messages where low_id = $1)
     select id from m where id in (select high_id from friendships where low_id = m.sender_id
       union all select low_id from friendships where high_id = m.sender_id)`,
    'combines rows for each row of m',
  ],
  [
    `with locked as materialized (select pg_advisory_xact_lock($1))
     insert into messages (low_id) select 1 from locked`,
    'selects nothing from pg_advisory_xact_lock',
  ],
  ['update threads set mailed_at = now()', 'updates threads with now'],
  ['update threads set mailed_at = current_timestamp', 'updates threads with the current time or user'],
  [
    'update messages set content = $1 where created_at < clock_timestamp()',
    'updates messages with clock_timestamp',
  ],
  [
    `insert into threads (member_id) values ($1) on conflict (member_id) do update
     set unread_since = threads.mailed_at + make_interval(mins => $2)`,
    'updates threads with an interval on a time with a zone',
  ],
  [
    `update threads set unread_since = mailed_at - interval '1 minute'`,
    'updates threads with an interval on a time with a zone',
  ],
])('refuses %s', async (statement, fault) => {
  expect(await distributionFaults(statement)).toEqual([fault])
})
