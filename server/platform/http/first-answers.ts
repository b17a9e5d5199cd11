import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callsAt, type FirstCalls } from '#contract/address.ts'
import type { Bursts } from '#server/platform/token-buckets.ts'
import type { Authenticate } from './route.ts'

/** What a member's screen asks first, answered before it is there: each as the API answers it. */
export interface FirstAnswers {
  readonly member: number
  readonly answers: readonly FirstAnswer[]
}

interface FirstAnswer {
  readonly address: string
  /** The `Link` header of a list that goes on. */
  readonly link: string | null
  readonly json: string
}

interface FirstAnswersOptions {
  readonly table: readonly FirstCalls[]
  /** Whether members come by HTTPS. */
  readonly https: boolean
  readonly bursts: Bursts
}

/** A page without answers asks for them itself: no longer than this does it wait for them, in milliseconds. */
const patienceMs = 300
/** For a member on one node: whoever opens more pages gets the one that everybody gets, which asks nothing of the API. */
const visitsOfMember = { burst: 60, perSecond: 5 }
/** As web/features/auth/stored-login.ts writes it. By HTTPS nobody but this very host can have set the one that counts. */
const carriedLogins = { http: /(?:^|; ?)login=([^;\s]+)/, https: /(?:^|; ?)__Host-login=([^;\s]+)/ }

/**
 * Asks the API as the screen at this address would, by the login that the navigation carries: the same guards, limits and bytes.
 * Resolves to nothing where there is none, where anything is refused, and when it takes too long.
 */
export function createFirstAnswers(
  http: FastifyInstance,
  authenticate: Authenticate,
  { table, https, bursts }: FirstAnswersOptions,
): (request: FastifyRequest) => Promise<FirstAnswers | undefined> {
  const mayVisit = bursts<number>(visitsOfMember)
  const carriedLogin = carriedLogins[https ? 'https' : 'http']
  async function ask({ url, ip, headers }: FastifyRequest): Promise<FirstAnswers | undefined> {
    const [, token] = carriedLogin.exec(headers.cookie ?? '') ?? []
    const calls = token === undefined ? [] : callsAt(table, url)
    if (token === undefined || calls.length === 0) return undefined
    const caller = await authenticate(token)
    if (caller === undefined || !mayVisit(caller.id)) return undefined
    const answers = await Promise.all(calls.map((address) => answerTo(address, token, ip)))
    const all = answers.filter((answer) => answer !== undefined)
    return all.length === calls.length ? { member: caller.id, answers: all } : undefined
  }

  async function answerTo(address: string, token: string, ip: string): Promise<FirstAnswer | undefined> {
    const { statusCode, headers, payload } = await http.inject({
      url: address,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      remoteAddress: ip,
    })
    if (statusCode !== 200) return undefined
    return { address, link: headers.link === undefined ? null : String(headers.link), json: payload }
  }

  return async (request) => {
    const { method, headers } = request
    if (method !== 'GET' || (headers['sec-fetch-dest'] ?? 'document') !== 'document') return undefined
    const late = new AbortController()
    // What breaks here breaks for the screen as well, which has words for it.
    const answered = ask(request).catch(() => undefined)
    const patience = sleep(patienceMs, undefined, { signal: late.signal, ref: false }).catch(() => undefined)
    return Promise.race([answered, patience]).finally(() => late.abort())
  }
}

/** As text of a script that holds data: nothing in it ends the script, or a line of one. */
export function writtenOut({ answers }: FirstAnswers): string {
  const items = answers.map(
    ({ address, link, json }) =>
      `{"address":${JSON.stringify(address)},"link":${JSON.stringify(link)},"body":${json}}`,
  )
  return `[${items.join()}]`.replaceAll(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
