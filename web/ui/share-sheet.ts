/** Returns whether the browser has the Web Share API. */
export function canShare(): boolean {
  return 'share' in navigator
}

/** Opens the share sheet. Closing it is not an error. */
export async function share(data: ShareData): Promise<void> {
  await navigator.share(data).catch(() => undefined)
}
