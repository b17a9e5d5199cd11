import { setTimeout as sleep } from 'node:timers/promises'

/** Returns whether the condition became true within the time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    if (await condition()) return true
    await sleep(20)
  }
  return condition()
}
