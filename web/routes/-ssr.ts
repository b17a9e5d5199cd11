import { pageRequest } from '#web/context/server-context.ts'

/** Returns whether the server renders a member's screen: if the cookie is of a member. The bootstrap script compares the stored login. */
export function ssrForMember(): boolean {
  const { ssr, member } = pageRequest()
  return ssr && member !== undefined
}

/** Returns whether the server renders a guest's screen: if there is no cookie. With one, the stored login decides. */
export function ssrForGuest(): boolean {
  const { ssr, hasCookie } = pageRequest()
  return ssr && !hasCookie
}

/** Returns whether the server renders a screen that does not depend on the login. */
export function ssrForAnyone(): boolean {
  return pageRequest().ssr
}
