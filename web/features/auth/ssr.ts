import { pageRequest } from '#web/server-context.ts'

/** Renders a member's screen on the server if the cookie says whose it is. The browser's record decides what is shown. */
export function ssrForMember(): boolean {
  const { ssr, member } = pageRequest()
  return ssr && member !== undefined
}

/** Renders a guest's screen on the server if there is no cookie: otherwise the browser's record decides where to go. */
export function ssrForGuest(): boolean {
  const { ssr, hasCookie } = pageRequest()
  return ssr && !hasCookie
}

export function ssrForAnyone(): boolean {
  return pageRequest().ssr
}
