import pg from 'pg'
import type { Page, PageState, Written } from './page.ts'

interface Stored {
  readonly id: number
  readonly sender_id: number
  readonly receiver_id: number
  readonly content: string
}

/** Returns the messages after an id, the inconsistent threads and the unread counts. */
export async function readDatabase(url: string, since: number) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const messages = await client.query<Stored>(
      `select id::int, sender_id::int, receiver_id::int, content from messages where id > $1 order by id`,
      [since],
    )
    const threads = await client.query<{ violation: string }>(inconsistentThreads)
    const unread = await client.query<{ member_id: number; unread: number }>(
      `with m as materialized (select id, sender_id, receiver_id from messages),
       t as materialized (select member_id, partner_id, last_read_id from threads)
       select receiver_id::int as member_id, count(*)::int as unread from m
       left join t on t.member_id = m.receiver_id and t.partner_id = m.sender_id
       where m.id > coalesce(t.last_read_id, 0) group by receiver_id`,
    )
    return {
      messages: messages.rows,
      threads: threads.rows.map(({ violation }) => violation),
      unread: new Map(unread.rows.map(({ member_id, unread }) => [member_id, unread])),
    }
  } finally {
    await client.end()
  }
}

export type Database = Awaited<ReturnType<typeof readDatabase>>

/** Selects threads whose unread count or last message differs from the messages. */
const inconsistentThreads = `
  with m as materialized (select id, sender_id, receiver_id from messages),
  t as materialized (select member_id, partner_id, last_message_id, last_read_id, unread_count from threads),
  sides as (
    select sender_id as member_id, receiver_id as partner_id, id, false as received from m
    union all
    select receiver_id, sender_id, id, true from m
  ), expected as (
    select s.member_id, s.partner_id, max(s.id) as last_message_id,
      count(*) filter (where s.received and s.id > coalesce(t.last_read_id, 0)) as unread_count
    from sides s left join t on t.member_id = s.member_id and t.partner_id = s.partner_id
    group by s.member_id, s.partner_id
  )
  select format('the thread of %s with %s has %s unread up to %s, expected %s up to %s',
    coalesce(t.member_id, expected.member_id), coalesce(t.partner_id, expected.partner_id),
    t.unread_count, t.last_message_id, expected.unread_count, expected.last_message_id) as violation
  from t full join expected on expected.member_id = t.member_id and expected.partner_id = t.partner_id
  where (t.unread_count, t.last_message_id) is distinct from (expected.unread_count::int, expected.last_message_id)`

/** Returns messages that are lost, duplicated, reordered or unknown in the database. */
export function databaseViolations({ messages, threads }: Database, pages: readonly Page[]): string[] {
  return [
    ...pages.flatMap((page) => violationsOf(page, messages)),
    ...unknownMessages(messages, pages),
    ...threads,
  ]
}

function violationsOf({ person, written }: Page, messages: readonly Stored[]): string[] {
  const stored = messages.filter(({ sender_id }) => sender_id === person.id).map(({ content }) => content)
  return compare(written(), stored).map((violation) => `${person.username}: ${violation} in the database`)
}

function compare(written: readonly Written[], found: readonly string[]): string[] {
  const times = Map.groupBy(found, (content) => content)
  const violations = written.flatMap(({ content, acknowledged }) => {
    const count = times.get(content)?.length ?? 0
    if (count > 1) return [`"${content}" is stored ${count} times`]
    return count === 0 && acknowledged ? [`"${content}" was acknowledged and is not stored`] : []
  })
  if (violations.length > 0) return violations
  const inOrder = written.map(({ content }) => content).filter((content) => times.has(content))
  const known = new Set(inOrder)
  const misplaced = found
    .filter((content) => known.has(content))
    .find((content, index) => content !== inOrder[index])
  return misplaced === undefined ? [] : [`"${misplaced}" is not in the order it was written`]
}

function unknownMessages(messages: readonly Stored[], pages: readonly Page[]): string[] {
  const known = new Set(
    pages.flatMap(({ person, written }) => written().map(({ content }) => `${person.id} ${content}`)),
  )
  return messages
    .filter(({ sender_id, content }) => !known.has(`${sender_id} ${content}`))
    .map(({ content }) => `"${content}" is in the database and was not written in this round`)
}

/** Returns differences between a page and the database. A page must show every message once and in order. */
export function pageViolations(
  page: Page,
  otherId: number,
  state: PageState,
  { messages, unread }: Database,
): string[] {
  const { id, username } = page.person
  const mine = messages.filter(
    ({ sender_id, receiver_id }) =>
      (sender_id === id && receiver_id === otherId) || (sender_id === otherId && receiver_id === id),
  )
  // A page that was opened late starts later, and one that was opened early also shows messages of earlier rounds.
  const first = state.messages[0]?.id ?? 0
  const since = messages[0]?.id ?? 0
  const expected = mine.filter((message) => message.id >= first).map(describe)
  const shown = state.messages.filter((message) => message.id >= since).map(describe)
  const violations = [
    ...missing(expected, shown).map((message) => `${message} is stored and not shown`),
    ...missing(shown, expected).map((message) => `${message} is shown and not stored`),
  ]
  if (violations.length === 0 && expected.join() !== shown.join())
    violations.push('messages are shown out of order')
  const badge = unread.get(id) ?? 0
  if (state.unread !== badge) violations.push(`the badge shows ${state.unread}, but ${badge} are unread`)
  return violations.map((violation) => `${username}'s page: ${violation}`)
}

function missing(from: readonly string[], others: readonly string[]): string[] {
  const present = new Set(others)
  return from.filter((each) => !present.has(each))
}

function describe({ id, content }: { id: number; content: string }): string {
  return `message ${id} "${content}"`
}
