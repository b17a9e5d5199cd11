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

/** Of this share of the transactions the latency is written down: enough for a p99, too little to cost anything. */
const logged = 0.1

/** Makes sure that there is a pgbench. As root on Debian it is installed; otherwise throws a sentence that says how to. */
export async function requirePgbench(say: (line: string) => void): Promise<void> {
  const found = () =>
    run('pgbench', ['--version']).then(
      () => true,
      () => false,
    )
  if (await found()) return
  if (process.getuid?.() === 0) {
    say('Installing pgbench.')
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'postgresql-contrib']).catch(
      () => undefined,
    )
  }
  if (!(await found()))
    throw new Error(
      'There is no pgbench. Install it (on Debian: the package postgresql-contrib) and start again.',
    )
}

/** Runs a workload's statements, prepared, on connections with the settings of the server's own. */
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
        likeTheServer(market.url),
      ],
      { timeout: (seconds + 30) * 1000 },
    )
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    if (!(perSecond > 0)) throw new Error(`pgbench told no rate:\n${stdout}`)
    return sampleOf(perSecond, await latenciesIn(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The address with the settings that the server gives each of its connections, such as its time zone. */
function likeTheServer(url: string): string {
  const { options = '' } = createPool({ url, pool: 1, statementTimeoutMs: 5000 }).options
  return `${url}?options=${encodeURIComponent(options)}`
}

/** In milliseconds. A line is: client, transaction, microseconds, script, moment. */
async function latenciesIn(folder: string): Promise<number[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith('latencies'))
  const logs = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return logs
    .join('')
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]) / 1000)
}
