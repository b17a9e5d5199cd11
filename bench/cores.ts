import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The prefix of the server's command that pins it to a core. Empty where pinning is not possible. */
export type OwnCore = readonly string[]

/**
 * Pins this process and its later children to one core and leaves another one for the server. PostgreSQL and the load generator share
 * a core in every measurement, so that pgbench has no advantage.
 */
export async function shareCores(): Promise<OwnCore> {
  if (availableParallelism() < 2) return []
  return run('taskset', ['--all-tasks', '--cpu-list', '--pid', '1', String(process.pid)]).then(
    () => ['taskset', '--cpu-list', '0'],
    () => [],
  )
}

/** Returns the command prefix that lets a server use both cores although this process is pinned. */
export function bothCores(ownCore: OwnCore): readonly string[] {
  return ownCore.length === 0 ? [] : ['taskset', '--cpu-list', '0-1']
}

/** Returns the CPU seconds of a process, or undefined without Linux's /proc. */
export async function processorSeconds(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The second field, the command in parentheses, may contain spaces. User and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

const ticksPerSecond = 100
