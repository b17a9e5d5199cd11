/** The key of all queries of members, for modules that load before the contract. */
export const membersKey = ['members'] as const

/** Returns the key of `publicMemberQuery`. */
export function publicMemberKey(id: number) {
  return [...membersKey, id] as const
}
