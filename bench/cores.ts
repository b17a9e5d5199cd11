import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
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
  const fields = await statOf(pid)
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Returns the CPU seconds of a process, its descendants and its exited children. */
export async function processTreeSeconds(pid: number): Promise<number> {
  const seconds = (await descendantsOf(pid)).map(async (pid) => {
    const fields = (await statOf(pid)) ?? []
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / ticksPerSecond
  })
  return (await Promise.all(seconds)).reduce((sum, each) => sum + each, 0)
}

/** Returns the ids of a process and of its descendants. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) =>
    readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''),
  )
  const children = (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(descendantsOf))).flat()]
}

/** Returns the id of the parent of a process. */
export async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))?.[1])
}

/** Returns the resident memory of a process in kilobytes. */
export async function residentKilobytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])
}

/**
 * Returns the fields of `/proc/<pid>/stat` after the command, which is in parentheses and may contain spaces: the state, the parent and,
 * from index 11, the user and system time of the process and of its exited children.
 */
async function statOf(pid: number): Promise<string[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const ticksPerSecond = 100
