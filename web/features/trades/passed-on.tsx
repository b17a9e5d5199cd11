import type { PublicMember } from '#contract/members.ts'

type PassedOnProps = { member: Pick<PublicMember, 'given_count' | 'received_count'> }

/** Says how much a member has passed on and received; of who has not traded yet, nothing. */
export function PassedOn({ member: { given_count, received_count } }: PassedOnProps) {
  if (given_count + received_count === 0) return null
  return (
    <p>
      passed on <b>{given_count}</b>, received <b>{received_count}</b>
    </p>
  )
}
