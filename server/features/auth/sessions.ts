import type { Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { loginLifetimeMs } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { type Db, withPrecondition } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { EventBus } from '#server/platform/events/event-bus.ts'
import type { Caller, RunInSession } from '#server/platform/http/route.ts'
import type { Tables } from '#server/tables.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  listValidSessions,
  lockSession,
  lockSessionsOf,
} from './queries.ts'
import { createRevocations, rememberedMs } from './revocations.ts'
import { hashOfToken, newToken } from './tokens.ts'

export interface Sessions {
  /**
   * Opens a session for who has proved the password of this hash, and returns its token: 256 random bits, of which only a hash
   * is kept. Undefined when that proves nothing any more.
   */
  open(userId: number, passwordHash: string): Promise<string | undefined>
  /** Returns the holder of a token, or undefined if it is unknown, expired or revoked. */
  find(token: string): Promise<Caller | undefined>
  /** Ends a session. It has ended on every node when this resolves. */
  close(session: Buffer): Promise<void>
  /**
   * Runs the work for a session. Each transaction of the work locks the session first, so a logout, a reset or a suspension
   * either waits for the transaction, or the transaction throws `not_authenticated`.
   */
  readonly runInSession: RunInSession
  /** Of these sessions, those that are valid no more. */
  listEnded(sessions: readonly Buffer[]): Promise<Buffer[]>
  /** Calls the listener when sessions of a member have ended, or with undefined when a revocation may have been missed. */
  onEnded(listener: (userId: number | undefined) => void): void
  /**
   * Does the work in a transaction that also ends all of the member's sessions, but for the one to keep.
   * They have ended on every node when this resolves. Throws `not_authenticated` when the session that asks for it has ended.
   */
  closeAll<Result>(
    userId: number,
    sessions: { readonly askedBy?: Buffer; readonly keep?: Buffer },
    work: (tx: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result>
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/
const cacheSize = 10_000

export function createSessions(db: Db<Tables>, bus: EventBus): Sessions {
  const remembered = new LRUCache<string, Caller>({ max: cacheSize, ttl: rememberedMs })
  let timesForgotten = 0
  let listener: (userId: number | undefined) => void = () => {}
  const revoke = createRevocations(db, bus, {
    forget() {
      timesForgotten += 1
      remembered.clear()
    },
    ended: (userId) => listener(userId),
  })

  return {
    async open(userId, passwordHash) {
      const { token, hash } = newToken()
      const expires_at = new Date(Date.now() + loginLifetimeMs).toISOString()
      const session = { token_hash: hash, user_id: userId, expires_at }
      return (await insertSession(db, session, passwordHash)) ? token : undefined
    },
    async find(token) {
      if (!tokenForm.test(token)) return undefined
      // Without a connection a revocation would be missed, so nothing is taken from memory.
      const known = bus.isConnected() ? remembered.get(token) : undefined
      if (known) return known
      const before = timesForgotten
      const session = hashOfToken(token)
      const found = await findSession(db, session)
      if (!found) return undefined
      const caller: Caller = { id: found.user_id, session }
      if (before === timesForgotten) remembered.set(token, caller)
      return caller
    },
    async close(session) {
      await revoke(async (tx, notifyEnded) => {
        const userId = await deleteSession(tx, session)
        if (userId !== undefined) await notifyEnded(userId)
      })
    },
    runInSession: (session, work) =>
      withPrecondition(async (connection) => {
        if (!(await lockSession(connection, session))) throw notAuthenticated()
      }, work),
    async listEnded(sessions) {
      const valid = new Set((await listValidSessions(db, sessions)).map((hash) => hash.toString('base64')))
      return sessions.filter((session) => !valid.has(session.toString('base64')))
    },
    onEnded(ended) {
      listener = ended
    },
    closeAll(userId, { askedBy, keep }, work) {
      return revoke(async (tx, notifyEnded) => {
        const valid = await lockSessionsOf(tx, userId)
        if (askedBy && !valid.some((session) => session.equals(askedBy))) throw notAuthenticated()
        const result = await work(tx)
        await deleteSessionsOf(tx, userId, keep)
        await notifyEnded(userId)
        return result
      })
    },
  }
}

function notAuthenticated(): AppError {
  return new AppError('not_authenticated', errorMessages.notAuthenticated)
}
