import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** Does the work, and returns the ids of the processes that were started for it. */
export async function processesStartedBy(work: () => Promise<unknown>): Promise<number[]> {
  const started: ChildProcess[] = []
  const note = (message: unknown) => started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  await work().finally(() => unsubscribe('child_process', note))
  return started.flatMap(({ pid }) => pid ?? [])
}

export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
