import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { logOut } from '#contract/auth.ts'
import { lockConversations } from '#server/features/messages/sending-queries.ts'
import { listenerName } from '#server/platform/events/postgres-events.ts'
import { recheckMs } from '#server/platform/realtime/ended-sessions.ts'
import { waitUntil } from '#server/platform/wait-until.ts'
import { Actor } from '#test/actor.ts'
import type { startMailServer } from '#test/mail-server.ts'
import { connectSocket } from '#test/socket-client.ts'

export const nodeCount = 2
/** How long a condition may take to hold. */
const timeoutMs = 20_000
/** A node that has missed a logout closes its sockets at its next check of all sessions. */
const closedWithinMs = recheckMs / 3
/** How long a conversation is locked. A message that takes so long without the lock is not noticed. */
const lockedMs = 2000

interface Service {
  readonly databaseUrl: string
  /** The URLs of the nodes. */
  readonly one: string
  readonly two: string
  readonly mails: Pick<Awaited<ReturnType<typeof startMailServer>>, 'received'>
}

/** Opens a check of what works after a failover besides requests. It returns what does not. */
export async function openServiceCheck(service: Service) {
  const [ann, bob] = [new Actor(service.one), new Actor(service.two)]
  await ann.join({ username: 'ann' })
  await bob.join({ username: 'bob' })
  return {
    async check(round: number): Promise<string[]> {
      return [
        ...(await listenerViolations(service)),
        ...(await messageViolations(service, ann, bob, `After fault ${round}`)),
        ...(await newMemberViolations(service, `cas_${round}`)),
        // A check of all sessions can close the socket of one member early, but then not that of the next.
        ...(await newMemberViolations(service, `dan_${round}`)),
      ]
    },
  }
}

async function listenerViolations({ databaseUrl }: Service): Promise<string[]> {
  const areAll = await waitUntil(async () => (await countListeners(databaseUrl)) === nodeCount, timeoutMs)
  return areAll ? [] : ['not every node listens at the primary']
}

/** Checks that a message reaches the other node, and that one waits for the advisory lock of its conversation. */
async function messageViolations(
  { databaseUrl }: Service,
  ann: Actor,
  bob: Actor,
  content: string,
): Promise<string[]> {
  const violations: string[] = []
  using annSocket = await connectSocket(ann)
  using bobSocket = await connectSocket(bob)
  const isDelivered = await waitUntil(async () => {
    await annSocket.send('send_message', { receiver_id: bob.id, content })
    await sleep(200)
    return bobSocket.received('new_message').some((message) => message.content === content)
  }, timeoutMs)
  if (!isDelivered) violations.push('messages do not reach the other node')
  const waits = await inLockedConversation(databaseUrl, ann.id, bob.id, async () => {
    const sent = annSocket.send('send_message', { receiver_id: bob.id, content }).then(({ ok }) => ok)
    // In an object, because a promise that is returned is awaited.
    return (await Promise.race([sent, sleep(lockedMs)])) === undefined ? { sent } : undefined
  })
  if (!waits) violations.push('a message does not wait for the lock of its conversation')
  else if (!(await waits.sent)) violations.push('a message that waited for its conversation is refused')
  return violations
}

/** Checks that jobs mail a new member, and that a logout closes their socket on the other node. */
async function newMemberViolations({ one, two, mails }: Service, username: string): Promise<string[]> {
  const violations: string[] = []
  const member = new Actor(one)
  await member.join({ username })
  const isMailed = () => mails.received.filter(({ to }) => to.includes(member.email)).length === 1
  if (!(await waitUntil(isMailed, timeoutMs))) violations.push('a new member gets no welcome mail')
  using socket = await connectSocket(member.at(two))
  const isClosed = socket.ended().then(() => true)
  // The database may be unavailable again for a moment after the repair.
  await waitUntil(async () => (await member.try(logOut)).status !== 503, timeoutMs)
  const loggedOutAt = performance.now()
  if (await Promise.race([isClosed, sleep(closedWithinMs, false)]))
    console.log(`  a logout closed the socket after ${Math.round(performance.now() - loggedOutAt)} ms`)
  else violations.push('a socket on the other node stays open after a logout')
  return violations
}

/** Returns the number of connections that wait for LISTEN. */
async function countListeners(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [
      listenerName,
    ])
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}

/** Runs the work while a transaction at the primary holds the advisory lock of a conversation. */
async function inLockedConversation<Result>(
  databaseUrl: string,
  one: number,
  other: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    const conversation =
      '(values (least($1::bigint, $2::bigint), greatest($1::bigint, $2::bigint))) m (low_id, high_id)'
    await client.query(lockConversations(conversation), [one, other])
    return await work()
  } finally {
    await client.end()
  }
}
