import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The prefix of the server's command that pins it to its own core. Empty where pinning is impossible. */
export type OwnCore = readonly string[]

/**
 * Moves this process, and so all that it starts from now on, to one core and leaves another to the server:
 * PostgreSQL and what loads it share one core in every measurement, so that pgbench gains nothing from a second one.
 */
export async function shareCores(): Promise<OwnCore> {
  if (availableParallelism() < 2) return []
  return run('taskset', ['--all-tasks', '--cpu-list', '--pid', '1', String(process.pid)]).then(
    () => ['taskset', '--cpu-list', '0'],
    () => [],
  )
}

/** Returns the prefix of a command that lets a server use both cores, although this process is pinned. */
export function bothCores(ownCore: OwnCore): readonly string[] {
  return ownCore.length === 0 ? [] : ['taskset', '--cpu-list', '0-1']
}

/** Seconds of processor time a process has used so far; undefined where the system does not tell it as Linux does. */
export async function processorSeconds(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The second field, the command in parentheses, may hold spaces; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

const ticksPerSecond = 100
