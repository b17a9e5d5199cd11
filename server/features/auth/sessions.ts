import type { Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { loginLifetimeMs } from '#contract/constants.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Listener } from '#server/platform/db/listen.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Tables } from '#server/tables.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  listValidSessions,
  notifyRevoked,
  revokedChannel,
} from './queries.ts'
import { hashOfToken, newToken } from './tokens.ts'

export interface Sessions {
  /** Opens a session and returns its token: 256 random bits, of which only a hash is kept. */
  open(userId: number): Promise<string>
  /** Who holds the token; undefined when it is unknown, expired or revoked. */
  find(token: string): Promise<Caller | undefined>
  /** Ends a session, here at once and on every other node as soon as it hears of it. */
  close(session: Buffer): Promise<void>
  /** Of these sessions, those that are valid no more. */
  listEnded(sessions: readonly Buffer[]): Promise<Buffer[]>
  /** Tells that sessions may have ended: those of a member, or anybody's when a word may have gone unheard. */
  onEnded(tell: (userId: number | undefined) => void): void
  /**
   * Does the work in a transaction that also ends all of the member's sessions, but for the one to keep.
   * They end here at once and on every other node as soon as it hears of it.
   */
  closeAll<Result>(
    userId: number,
    keep: Buffer | undefined,
    work: (tx: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result>
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/
const rememberedMs = 1000
const mostRemembered = 50_000

export function createSessions(db: Db<Tables>, listener: Listener): Sessions {
  const remembered = new LRUCache<string, Caller>({ max: mostRemembered, ttl: rememberedMs })
  let revocations = 0
  function forget() {
    revocations += 1
    remembered.clear()
  }
  let tellEnded: (userId: number | undefined) => void = () => {}
  listener.on(
    revokedChannel,
    (userId) => {
      forget()
      tellEnded(Number(userId))
    },
    () => {
      forget()
      tellEnded(undefined)
    },
  )

  return {
    async open(userId) {
      const { token, hash } = newToken()
      await insertSession(db, {
        token_hash: hash,
        user_id: userId,
        expires_at: new Date(Date.now() + loginLifetimeMs).toISOString(),
      })
      return token
    },
    async find(token) {
      if (!tokenForm.test(token)) return undefined
      const known = remembered.get(token)
      if (known) return known
      const before = revocations
      const session = hashOfToken(token)
      const found = await findSession(db, session)
      if (!found) return undefined
      const caller: Caller = { id: found.user_id, session }
      if (before === revocations) remembered.set(token, caller)
      return caller
    },
    async close(session) {
      await db.transaction().execute(async (tx) => {
        const userId = await deleteSession(tx, session)
        if (userId !== undefined) await notifyRevoked(tx, userId)
      })
      forget()
    },
    async listEnded(sessions) {
      const valid = new Set((await listValidSessions(db, sessions)).map((hash) => hash.toString('base64')))
      return sessions.filter((session) => !valid.has(session.toString('base64')))
    },
    onEnded(tell) {
      tellEnded = tell
    },
    async closeAll(userId, keep, work) {
      const result = await db.transaction().execute(async (tx) => {
        const result = await work(tx)
        await deleteSessionsOf(tx, userId, keep)
        await notifyRevoked(tx, userId)
        return result
      })
      forget()
      return result
    },
  }
}
