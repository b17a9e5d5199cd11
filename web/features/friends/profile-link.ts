/** Where a member's profile is seen. */
export function profileLink(id: number): string {
  return `${location.origin}/seller/${id}`
}
