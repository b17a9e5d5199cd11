import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const running = new AsyncLocalStorage<unknown>()

/** Returns the ids of the processes that `work` starts. Other work may run concurrently. */
export async function processesStartedBy(work: () => Promise<unknown>): Promise<number[]> {
  const started: ChildProcess[] = []
  const note = (message: unknown) => {
    if (running.getStore() === work) started.push((message as { process: ChildProcess }).process)
  }
  subscribe('child_process', note)
  await running.run(work, work).finally(() => unsubscribe('child_process', note))
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

/** Signals all processes of the PostgreSQL server with this data folder. */
export async function signalPostgres(dataFolder: string, signal: NodeJS.Signals): Promise<void> {
  const file = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (file === undefined) return
  const postmaster = Number.parseInt(file, 10)
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => '')
  for (const pid of [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)])
    signalProcess(pid, signal)
}

/** Signals a process, which may have exited already. */
export function signalProcess(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
