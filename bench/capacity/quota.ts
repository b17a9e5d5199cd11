import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf } from '../cores.ts'

const periodUs = 10_000

/**
 * Limits a process and its descendants to a share of a core until it is disposed, with a control group (version 1, which root may
 * create). Returns undefined where there is none.
 */
export async function limitCores(name: string, pid: number, share: number) {
  const group = (name: string) => `/sys/fs/cgroup/cpu/${name}`
  const own = group(`rhubarb-bench-${process.pid}-${name}`)
  const created = await mkdir(own).then(
    () => true,
    () => false,
  )
  if (!created) return undefined
  const move = async (to: string) => {
    for (const id of await descendantsOf(pid))
      await writeFile(`${to}/cgroup.procs`, String(id)).catch(() => {})
  }
  await writeFile(`${own}/cpu.cfs_period_us`, String(periodUs))
  await writeFile(`${own}/cpu.cfs_quota_us`, String(Math.round(periodUs * share)))
  await move(own)
  return {
    async [Symbol.asyncDispose]() {
      await move(group(''))
      await sleep(100)
      await rmdir(own)
    },
  }
}
