/** Returns the key of `publicMemberQuery`, for modules that load before the contract. */
export function publicMemberKey(id: number) {
  return ['members', id] as const
}
