import { loginLifetimeMs } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { inTransaction, withPrecondition } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { EventReceiver } from '#server/platform/events/event-bus.ts'
import type { Caller, RunInSession } from '#server/platform/http/route.ts'
import type { Db, Row, Tx } from '#server/tables.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findPageMember,
  findSession,
  insertSession,
  listValidSessions,
  lockSession,
  lockSessionsOf,
  notifyEnded,
  sessionsEnded,
} from './queries.ts'
import { hashOfToken, newToken } from './tokens.ts'

export interface Sessions {
  /**
   * Opens a session and returns its token (256 random bits, of which only a hash is stored). Returns undefined if the member is deleted
   * or suspended, or the password is no longer that of `passwordHash`.
   */
  open(userId: number, passwordHash: string): Promise<string | undefined>
  /** Returns the holder of a token, or undefined if it is unknown, expired or revoked. */
  find(token: string): Promise<Caller | undefined>
  /** Returns the holder of a token, for rendered pages. */
  findMember(token: string): Promise<Pick<Row<'users'>, 'id' | 'username' | 'language'> | undefined>
  /** Ends a session. */
  close(session: Buffer): Promise<void>
  /**
   * Runs the work for a session. Each transaction of the work locks the session first, so a logout, a reset or a suspension
   * either waits for the transaction, or the transaction throws `not_authenticated`.
   */
  readonly runInSession: RunInSession
  /** Returns those of the sessions that have ended. */
  listEnded(sessions: readonly Buffer[]): Promise<Buffer[]>
  /** Calls the listener when sessions of a member have ended, or with undefined when an event may have been missed. */
  onEnded(listener: (userId: number | undefined) => void): void
  /**
   * Runs the work in a transaction that also ends all sessions of the member except `keep`. Throws `not_authenticated` if the session
   * `caller`, of the member or of one who acts on them, has ended.
   */
  closeAll<Result>(
    userId: number,
    sessions: { readonly caller?: Buffer; readonly keep?: Buffer },
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result>
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/

export function createSessions(db: Db, events: EventReceiver): Sessions {
  // Ending sessions locks them for update. The share lock of a precondition before that could deadlock two such transactions.
  const end = <Result>(work: (tx: Tx) => Promise<Result>) =>
    withPrecondition(undefined, () => inTransaction(db, work))

  async function find(token: string): Promise<Caller | undefined> {
    if (!tokenPattern.test(token)) return undefined
    const session = hashOfToken(token)
    const row = await findSession(db, session)
    return row && { id: row.user_id, session }
  }

  return {
    open: (userId, passwordHash) => openSession(db, userId, passwordHash),
    find,
    async findMember(token) {
      const caller = await find(token)
      return caller && findPageMember(db, caller.id)
    },
    async close(session) {
      await end(async (tx) => {
        const userId = await deleteSession(tx, session)
        if (userId !== undefined) await notifyEnded(tx, userId)
      })
    },
    runInSession: (session, work) =>
      withPrecondition(async (tx) => {
        if (!(await lockSession(tx, session))) throw notAuthenticated()
      }, work),
    async listEnded(sessions) {
      const valid = new Set((await listValidSessions(db, sessions)).map((hash) => hash.toString('base64')))
      return sessions.filter((session) => !valid.has(session.toString('base64')))
    },
    onEnded(listener) {
      events.on(
        sessionsEnded,
        (userId) => listener(Number(userId)),
        () => listener(undefined),
      )
    },
    closeAll(userId, { caller, keep }, work) {
      return end(async (tx) => {
        const valid = await lockSessionsOf(tx, userId)
        const isOwn = caller === undefined || valid.some((session) => session.equals(caller))
        if (!isOwn && !(await lockSession(tx, caller))) throw notAuthenticated()
        const result = await work(tx)
        await deleteSessionsOf(tx, userId, keep)
        await notifyEnded(tx, userId)
        return result
      })
    },
  }
}

async function openSession(db: Db, userId: number, passwordHash: string) {
  const { token, hash } = newToken()
  const expires_at = new Date(Date.now() + loginLifetimeMs).toISOString()
  const session = { token_hash: hash, user_id: userId, expires_at }
  return (await insertSession(db, session, passwordHash)) ? token : undefined
}

function notAuthenticated(): AppError {
  return new AppError('not_authenticated', errorMessages.notAuthenticated)
}
