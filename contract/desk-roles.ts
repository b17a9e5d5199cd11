/** The roles of those who run the site. An operator may do all that a moderator may. */
export const deskRoles = ['moderator', 'operator'] as const
export type DeskRole = (typeof deskRoles)[number]

/** Returns whether a role, or none, includes another. */
export function hasRole(role: DeskRole | undefined, needed: DeskRole): boolean {
  return role === 'operator' || role === needed
}

/** Returns whether an endpoint is of the desk. */
export function isOfDesk(auth: string): auth is DeskRole {
  return auth === 'moderator' || auth === 'operator'
}
