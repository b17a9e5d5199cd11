/** Holds for a message `m` that a member of its conversation may see. One that the desk has withdrawn is seen by its sender only. */
export function isDeliveredTo(reader: string): string {
  return `(not m.is_withdrawn or m.sender_id = ${reader})`
}
