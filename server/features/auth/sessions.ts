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
  listener.on(revokedChannel, forget, forget)

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
        await deleteSession(tx, session)
        await notifyRevoked(tx)
      })
      forget()
    },
    async closeAll(userId, keep, work) {
      const result = await db.transaction().execute(async (tx) => {
        const result = await work(tx)
        await deleteSessionsOf(tx, userId, keep)
        await notifyRevoked(tx)
        return result
      })
      forget()
      return result
    },
  }
}
