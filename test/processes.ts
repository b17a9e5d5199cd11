import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'

/** Returns the ids of the processes that `work` starts. */
export async function processesStartedBy(work: () => Promise<unknown>): Promise<number[]> {
  const started: ChildProcess[] = []
  const note = (message: unknown) => started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  await work().finally(() => unsubscribe('child_process', note))
  return started.flatMap(({ pid }) => pid ?? [])
}

/** Returns how many bytes a process has read so far. */
export async function bytesReadBy(id: number): Promise<number> {
  return Number(/rchar: (\d+)/.exec(await readFile(`/proc/${id}/io`, 'utf8'))?.[1])
}

export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
