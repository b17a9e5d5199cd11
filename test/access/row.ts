import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import type { Actor } from '#test/actor.ts'
import type { Fixture, Role } from './fixture.ts'

/** The input of a call; `as` replaces the role's usual member. */
export type Input<E extends Endpoint> = CallInput<E> & { as?: Actor }

export interface Row {
  readonly endpoint: Endpoint
  readonly target: string
  readonly expectedStatuses: Readonly<Record<Role, number>>
  readonly prepare: (fixture: Fixture, role: Role) => Promise<object & { as?: Actor }>
  /** Whether `prepare` takes the role. */
  readonly dependsOnRole: boolean
}

/** A status for all members alike, or for stranger (a former friend is one), friend, owner, blocked and, if it differs, guest. */
type Statuses =
  | number
  | readonly [stranger: number, friend: number, owner: number, blocked: number, guest?: number]

type Prepare<E extends Endpoint> = (fixture: Fixture, role: Role) => Input<E> | Promise<Input<E>>

/** Adds a row. Guests and suspended members get 401 from endpoints for members; `statuses` are those of the other roles. */
export function row<E extends Endpoint>(
  endpoint: E,
  target: string,
  statuses: Statuses,
  prepare: Prepare<E>,
): Row {
  const [stranger, friend, owner, blocked, guest = stranger] =
    typeof statuses === 'number' ? [statuses, statuses, statuses, statuses] : statuses
  const withoutSession = endpoint.auth === 'member' ? 401 : guest
  return {
    endpoint,
    target,
    expectedStatuses: {
      guest: withoutSession,
      stranger,
      formerFriend: stranger,
      friend,
      owner,
      blocked,
      suspended: withoutSession,
    },
    prepare: async (fixture, role) => prepare(fixture, role),
    dependsOnRole: prepare.length > 1,
  }
}

export const noInput = () => ({})
/** A token of the right form that nobody has. */
export const token = 'A'.repeat(43)

/** Adds rows of calls that only a listing's owner may make. Others get 403 if they see the listing, else 404. */
export function ownerOnlyRows<E extends Endpoint>(
  endpoint: E,
  done: number,
  input: (id: number) => Input<E> | Promise<Input<E>>,
): Row[] {
  return [
    row(endpoint, 'a public listing', [403, 403, done, 404], async ({ listing }) =>
      input((await listing({ is_public: true })).id),
    ),
    row(endpoint, "a listing for the owner's friends", [404, 403, done, 404], async ({ listing }) =>
      input((await listing({ is_public: false })).id),
    ),
    row(endpoint, 'an inactive listing', [404, 404, done, 404], async ({ listing }) =>
      input((await listing({ is_active: false })).id),
    ),
    row(endpoint, 'a listing of a suspended member', 404, ({ suspendedListing }) =>
      input(suspendedListing.id),
    ),
    row(endpoint, 'a listing that has ended', [404, 404, done, 404], async (fixture) =>
      input((await fixture.endedListing()).id),
    ),
  ]
}
