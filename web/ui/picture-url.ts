/** Returns the URL of a profile picture: an absolute URL, or a path below /api/. */
export function pictureUrl(picture: string): string {
  return /^(?:https?:|blob:|data:|\/)/.test(picture) ? picture : `/api/${picture}`
}
