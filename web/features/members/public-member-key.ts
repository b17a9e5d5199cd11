/** The key of `publicMemberQuery`, for a part of a page that loads without the contract. */
export function publicMemberKey(id: number) {
  return ['members', id] as const
}
