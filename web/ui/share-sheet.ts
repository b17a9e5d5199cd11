/** Whether there is the phone's own way of sharing, with the apps that are on it. */
export function canShare(): boolean {
  return 'share' in navigator
}

/** Whoever closes the sheet has not failed: what was to be shared is still there. */
export async function share(shared: ShareData): Promise<void> {
  await navigator.share(shared).catch(() => undefined)
}
