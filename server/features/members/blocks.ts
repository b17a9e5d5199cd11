/** Returns the SQL condition that neither of two members has blocked the other. The arguments are columns or placeholders. */
export function isUnblocked(one: string, other: string): string {
  return `not exists (select from blocks b where b.blocker_id = ${one} and b.blocked_id = ${other})
    and not exists (select from blocks b where b.blocker_id = ${other} and b.blocked_id = ${one})`
}
