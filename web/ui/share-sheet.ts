/** Whether there is the phone's own way of sharing, with the apps that are on it. */
export function canShare(): boolean {
  return 'share' in navigator
}

/** Opens the share sheet. Closing it is not an error. */
export async function share(shared: ShareData): Promise<void> {
  await navigator.share(shared).catch(() => undefined)
}
