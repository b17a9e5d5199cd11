import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createPool } from '#server/platform/db/database.ts'
import type { Market } from './market.ts'
import { type Sample, sampleOf } from './sample.ts'
import type { Workload } from './workloads.ts'

const run = promisify(execFile)

/** The share of transactions with logged latency: enough for a p99 at no noticeable cost. */
const logged = 0.1

/** Finds pgbench or installs it as root on Debian. Otherwise throws an error with instructions. */
export async function requirePgbench(print: (line: string) => void): Promise<void> {
  const found = () =>
    run('pgbench', ['--version']).then(
      () => true,
      () => false,
    )
  if (await found()) return
  if (process.getuid?.() === 0) {
    print('Installing pgbench.')
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'postgresql-contrib']).catch(
      () => undefined,
    )
  }
  if (!(await found()))
    throw new Error(
      'There is no pgbench. Install it (on Debian: the package postgresql-contrib) and start again.',
    )
}

/** Runs the prepared statements of a workload on connections with the server's settings. */
export async function runPgbench(
  workload: Workload,
  market: Market,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-pgbench-'))
  try {
    const scripts = await Promise.all(
      workload.scripts.map(async (text, index) => {
        const file = join(folder, `${index}.sql`)
        await writeFile(file, text)
        return `--file=${file}`
      }),
    )
    const { stdout } = await run(
      'pgbench',
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--client=${connections}`,
        `--time=${seconds}`,
        `--define=listings=${market.listings}`,
        '--log',
        `--sampling-rate=${logged}`,
        `--log-prefix=${join(folder, 'latencies')}`,
        ...scripts,
        withServerSettings(market.url),
      ],
      { timeout: (seconds + 30) * 1000 },
    )
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    if (!(perSecond > 0)) throw new Error(`pgbench printed no rate:\n${stdout}`)
    return sampleOf(perSecond, await latenciesIn(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the URL with the connection settings of the server, such as the time zone. */
function withServerSettings(url: string): string {
  const { options = '' } = createPool({ url, pool: 1, statementTimeoutMs: 5000 }).options
  return `${url}?options=${encodeURIComponent(options)}`
}

/** Returns the latencies in milliseconds. The fields of a line are client, transaction, microseconds, script and time. */
async function latenciesIn(folder: string): Promise<number[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith('latencies'))
  const logs = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return logs
    .join('')
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]) / 1000)
}
