import pg from 'pg'
import type { Page, Shown, Written } from './page.ts'

interface Stored {
  readonly id: number
  readonly sender_id: number
  readonly receiver_id: number
  readonly content: string
}

/** Returns the messages after an id, and the errors of the threads. */
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
    const threads = await client.query<{ wrong: string }>(wrongThreads)
    const unread = await client.query<{ member_id: number; unread: number }>(
      `select receiver_id::int as member_id, count(*)::int as unread from messages m
       left join threads t on t.member_id = m.receiver_id and t.partner_id = m.sender_id
       where m.id > coalesce(t.last_read_id, 0) group by receiver_id`,
    )
    return {
      messages: messages.rows,
      threads: threads.rows.map(({ wrong }) => wrong),
      unread: new Map(unread.rows.map(({ member_id, unread }) => [member_id, unread])),
    }
  } finally {
    await client.end()
  }
}

export type Database = Awaited<ReturnType<typeof readDatabase>>

/** Both sides of every conversation have a thread that says what its messages say. */
const wrongThreads = `
  with sides as (
    select sender_id as member_id, receiver_id as partner_id, id, false as received from messages
    union all
    select receiver_id, sender_id, id, true from messages
  ), told as (
    select s.member_id, s.partner_id, max(s.id) as last_message_id,
      count(*) filter (where s.received and s.id > coalesce(t.last_read_id, 0)) as unread_count
    from sides s left join threads t on t.member_id = s.member_id and t.partner_id = s.partner_id
    group by s.member_id, s.partner_id
  )
  select format('the thread of %s with %s has %s unread up to %s, and its messages say %s up to %s',
    coalesce(t.member_id, told.member_id), coalesce(t.partner_id, told.partner_id),
    t.unread_count, t.last_message_id, told.unread_count, told.last_message_id) as wrong
  from threads t full join told on told.member_id = t.member_id and told.partner_id = t.partner_id
  where (t.unread_count, t.last_message_id) is distinct from (told.unread_count::int, told.last_message_id)`

/** Returns messages that are wrongly in the database or missing from it. */
export function wrongInDatabase({ messages, threads }: Database, pages: readonly Page[]): string[] {
  return [...pages.flatMap((page) => wrongFrom(page, messages)), ...fromNowhere(messages, pages), ...threads]
}

function wrongFrom({ person, written }: Page, messages: readonly Stored[]): string[] {
  const stored = messages.filter(({ sender_id }) => sender_id === person.id).map(({ content }) => content)
  return wrongOrder(written(), stored).map((wrong) => `${person.username}: ${wrong} in the database`)
}

function wrongOrder(written: readonly Written[], found: readonly string[]): string[] {
  const times = Map.groupBy(found, (content) => content)
  const wrong = written.flatMap(({ content, acknowledged }) => {
    const count = times.get(content)?.length ?? 0
    if (count > 1) return [`"${content}" is ${count} times`]
    return count === 0 && acknowledged ? [`"${content}" was acknowledged and is not`] : []
  })
  if (wrong.length > 0) return wrong
  const inOrder = written.map(({ content }) => content).filter((content) => times.has(content))
  const known = new Set(inOrder)
  const misplaced = found
    .filter((content) => known.has(content))
    .find((content, at) => content !== inOrder[at])
  return misplaced === undefined ? [] : [`"${misplaced}" is not in the order it was written`]
}

function fromNowhere(messages: readonly Stored[], pages: readonly Page[]): string[] {
  const known = new Set(
    pages.flatMap(({ person, written }) => written().map(({ content }) => `${person.id} ${content}`)),
  )
  return messages
    .filter(({ sender_id, content }) => !known.has(`${sender_id} ${content}`))
    .map(({ content }) => `"${content}" is in the database and was not written in this round`)
}

/** Returns differences between a page and the database: every message must be shown once and in order. */
export function wrongOnPage(
  page: Page,
  otherId: number,
  seen: Shown,
  { messages, unread }: Database,
): string[] {
  const { id, username } = page.person
  const mine = messages.filter(
    ({ sender_id, receiver_id }) =>
      (sender_id === id && receiver_id === otherId) || (sender_id === otherId && receiver_id === id),
  )
  // A page that was opened late begins with the latest, and one that was opened early has some of before.
  const first = seen.messages[0]?.id ?? 0
  const since = messages[0]?.id ?? 0
  const expected = mine.filter((message) => message.id >= first).map(describe)
  const shown = seen.messages.filter((message) => message.id >= since).map(describe)
  const wrong = [
    ...missing(expected, shown).map((message) => `${message} is stored and not shown`),
    ...missing(shown, expected).map((message) => `${message} is shown and not stored`),
  ]
  if (wrong.length === 0 && expected.join() !== shown.join()) wrong.push('what is shown is not in order')
  const badge = unread.get(id) ?? 0
  if (seen.unread !== badge) wrong.push(`the badge says ${seen.unread}, and ${badge} are unread`)
  return wrong.map((one) => `${username}'s page: ${one}`)
}

function missing(from: readonly string[], others: readonly string[]): string[] {
  const there = new Set(others)
  return from.filter((one) => !there.has(one))
}

function describe({ id, content }: { id: number; content: string }): string {
  return `message ${id} "${content}"`
}
