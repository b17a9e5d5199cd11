import { countHandedOver } from '#server/features/visibility/legs.ts'
import { areFriends, friendCount } from '#server/features/visibility/members.ts'
import { rowStatement } from '#server/platform/db/database.ts'

/** Returns a row if the member $3 has written in the conversation of $1 and $2, the lower and the higher id. */
export const findAnswer = rowStatement<[low: number, high: number, sender: number], { id: number }>(
  'select id from messages where low_id = $1 and high_id = $2 and sender_id = $3 limit 1',
)

/** Returns a row if two members are friends. */
export const findFriendship = rowStatement<[one: number, other: number], { are_friends: true }>(
  `select true as are_friends where ${areFriends('$1::bigint', '$2::bigint')}`,
)

interface ContactRow {
  readonly are_friends: boolean
  readonly is_confirmed: boolean
  readonly created_at: string
  /** How many friends the sender has and how many trades they were part of. */
  readonly ties: number
}

/** Returns what decides how many strangers the sender $1 may write to, or nothing if the receiver $2 does not exist. */
export const findContact = rowStatement<[sender: number, receiver: number], ContactRow>(`
  select ${areFriends('$1', '$2')} as are_friends, u.email_confirmed_at is not null as is_confirmed, u.created_at,
    ${friendCount('u.id')} + ${countHandedOver('giver_id', 'u.id')} + ${countHandedOver('taker_id', 'u.id')} as ties
  from users u join users receiver on receiver.id = $2 where u.id = $1`)
