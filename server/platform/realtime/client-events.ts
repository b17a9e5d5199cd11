import type { Logger } from 'pino'
import type { z } from 'zod/mini'
import { errorMessages } from '#contract/error-messages.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { type ClientEvents, clientEvents } from '#contract/realtime.ts'
import { AppError } from '#server/platform/errors.ts'
import { asAppError, problemCode } from '#server/platform/http/problem.ts'
import { type Caller, parse, type RunInSession } from '#server/platform/http/route.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import type { Rate, TokenBuckets } from '#server/platform/token-buckets.ts'
import type { Socket } from './sockets.ts'

/** The rate limit of a member's events on one node. Events above it are refused. */
const memberRate: Rate = { burst: 60, perSecond: 20 }

/** Handles an event of a member. Its result is acknowledged with `ok: true`. */
export type Handler<Name extends keyof ClientEvents> = (
  member: Caller,
  payload: z.output<ClientEvents[Name]>,
) => Promise<object>

type Acknowledgement = { ok: true } | { ok: false; status: number; detail: string; code?: ProblemCode }

interface ClientEventsOptions {
  readonly runInSession: RunInSession
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'events'>
  readonly tokenBuckets: TokenBuckets
}

/** Limits, validates and acknowledges the events that clients send. Each runs in its member's session. */
export function createClientEvents({ runInSession, log, metrics, tokenBuckets }: ClientEventsOptions) {
  const handlers = new Map<string, (member: Caller, payload: unknown) => Promise<object>>()
  const isWithinRate = tokenBuckets<number>(memberRate)
  const pending = new Set<Promise<void>>()

  async function run(member: Caller, event: unknown, payload: unknown): Promise<Acknowledgement> {
    try {
      if (!isWithinRate(member.id)) throw new AppError('too_many', errorMessages.tooManyAttempts)
      const handler = typeof event === 'string' ? handlers.get(event) : undefined
      if (!handler) throw new AppError('not_found', errorMessages.notFound)
      return { ok: true, ...(await runInSession(member.session, () => handler(member, payload))) }
    } catch (error) {
      const appError = asAppError(error)
      if (appError.code === 'unexpected')
        log.error({ err: appError.cause ?? appError }, 'A socket event failed unexpectedly')
      const code = problemCode(appError.code)
      return { ok: false, status: appError.status, detail: appError.message, ...(code && { code }) }
    }
  }

  return {
    handle<Name extends keyof ClientEvents>(event: Name, handler: Handler<Name>) {
      const schema: z.ZodMiniType = clientEvents[event]
      handlers.set(event, (member, payload) => handler(member, parse(schema, payload) as never))
    },
    /** Handles one event of a socket. `args` has the payload first and the acknowledgement function last. */
    receive({ data: { member } }: Socket, event: unknown, args: readonly unknown[]) {
      const last = args.at(-1)
      const acknowledge = typeof last === 'function' ? (last as (acknowledgement: object) => void) : () => {}
      const work = run(member, event, args[0])
        .then((result) => {
          const outcome = result.ok ? 'done' : result.status < 500 ? 'refused' : 'failed'
          const isKnown = typeof event === 'string' && handlers.has(event)
          metrics.events.inc({ event: isKnown ? event : 'unknown', outcome })
          acknowledge(result)
        })
        .catch((error) => log.error({ err: error }, 'A socket event could not be acknowledged'))
        .finally(() => pending.delete(work))
      pending.add(work)
    },
    /** Resolves when all events received so far are answered. */
    async settled() {
      await Promise.allSettled(pending)
    },
  }
}
