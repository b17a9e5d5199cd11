import { type DeskRole, hasRole, isOfDesk } from '#contract/desk-roles.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { Listing } from '#contract/listings.ts'
import type { Actor } from '#test/actor.ts'
import type { Fixture, Role } from './fixture.ts'

/** The input of a call; `as` replaces the role's usual member. */
export type Input<E extends Endpoint> = CallInput<E> & { as?: Actor }

/** The result of a call. Without `detail`, a problem may have any. */
interface Outcome {
  readonly status: number
  readonly detail?: string | undefined
}

export interface Row {
  readonly endpoint: Endpoint
  readonly target: string
  readonly expected: Readonly<Record<Role, Outcome>>
  readonly prepare: (fixture: Fixture, role: Role) => Promise<object & { as?: Actor }>
  /** Whether `prepare` takes the role. */
  readonly dependsOnRole: boolean
}

export const problem = (status: number, detail: string): Outcome => ({ status, detail })

/** A status or an outcome. The 404 of an endpoint has the detail of its contract. */
type Result = number | Outcome

/** A result for all members alike, or for stranger (a former friend is one), friend, owner, blocked and, if it differs, guest. */
type Results =
  | Result
  | readonly [stranger: Result, friend: Result, owner: Result, blocked: Result, guest?: Result]

type Prepare<E extends Endpoint> = (fixture: Fixture, role: Role) => Input<E> | Promise<Input<E>>

/** Adds a row. Guests and suspended members get 401 from endpoints for members; `results` are those of the other roles. */
export function row<E extends Endpoint>(
  endpoint: E,
  target: string,
  results: Results,
  prepare: Prepare<E>,
): Row {
  const all = Array.isArray(results) ? results : [results, results, results, results]
  const [stranger, friend, owner, blocked, guest = stranger] = all.map((result) =>
    typeof result === 'object'
      ? result
      : { status: result, detail: result === 404 ? endpoint.notFound : undefined },
  )
  const withoutSession = endpoint.auth === 'member' ? problem(401, errorMessages.notAuthenticated) : guest
  return {
    endpoint,
    target,
    expected: {
      guest: withoutSession,
      stranger,
      formerFriend: stranger,
      friend,
      owner,
      blocked,
      suspended: withoutSession,
      moderator: stranger,
      operator: stranger,
    },
    prepare: async (fixture, role) => prepare(fixture, role),
    dependsOnRole: prepare.length > 1,
  }
}

/** Adds a row of the desk. Everybody without the endpoint's role gets 404, like for an unknown path. */
export function deskRow<E extends Endpoint>(
  endpoint: E,
  target: string,
  result: Result,
  prepare: Prepare<E>,
): Row {
  const of = (role: DeskRole): Outcome => {
    if (!isOfDesk(endpoint.auth) || !hasRole(role, endpoint.auth)) return problem(404, errorMessages.notFound)
    if (typeof result === 'object') return result
    return { status: result, detail: result === 404 ? endpoint.notFound : undefined }
  }
  const nobody = problem(404, errorMessages.notFound)
  return {
    endpoint,
    target,
    expected: {
      guest: nobody,
      stranger: nobody,
      formerFriend: nobody,
      friend: nobody,
      owner: nobody,
      blocked: nobody,
      suspended: nobody,
      moderator: of('moderator'),
      operator: of('operator'),
    },
    prepare: async (fixture, role) => prepare(fixture, role),
    dependsOnRole: prepare.length > 1,
  }
}

export const noInput = () => ({})
/** A token of the right form that nobody has. */
export const token = 'A'.repeat(43)

/** Adds rows of calls that only a listing's owner may make. Others get `notYours` if they see the listing, else 404. */
export function ownerOnlyRows<E extends Endpoint>(
  endpoint: E,
  done: number,
  notYours: Outcome,
  input: (id: number) => Input<E> | Promise<Input<E>>,
): Row[] {
  const invisible = [404, 404, done, 404] as const
  const ownerOnlyRow = (
    target: string,
    results: Results,
    listingOf: (fixture: Fixture) => Listing | Promise<Listing>,
  ) => row(endpoint, target, results, async (fixture) => input((await listingOf(fixture)).id))
  return [
    ownerOnlyRow('a public listing', [notYours, notYours, done, 404], ({ listing }) => listing()),
    ownerOnlyRow("a listing for the owner's friends", [404, notYours, done, 404], ({ listing }) =>
      listing({ is_public: false }),
    ),
    ownerOnlyRow('an inactive listing', invisible, ({ listing }) => listing({ is_active: false })),
    ownerOnlyRow('a hidden listing', invisible, (fixture) => fixture.hiddenListing()),
    ownerOnlyRow('a listing of a suspended member', 404, ({ suspendedListing }) => suspendedListing),
    ownerOnlyRow('a listing that has ended', invisible, (fixture) => fixture.endedListing()),
  ]
}
