// `npm run test:fault-injection`: messages while things break. `-- --rounds=200 --seed=1` says how long and which; `--round=17` runs
// one of them; `--plant=ack-before-commit` expects the bug to be found (plants.ts names them).
import { parseArgs } from 'node:util'
import { isPlant, plants } from './plants.ts'
import { type Failure, runRounds } from './rounds.ts'

/** A round takes some seconds, and a failing one waits for what does not come. */
const longestMs = { start: 120_000, round: 60_000 }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      round: { type: 'string' },
      seed: { type: 'string' },
      plant: { type: 'string' },
    },
  })
  const { plant } = values
  if (plant !== undefined && !isPlant(plant)) {
    say(`There is no plant ${plant}. The plants are ${Object.keys(plants).join(', ')}.`)
    return 1
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
  const from = Number(values.round ?? 1)
  const rounds = Number(values.rounds ?? (values.round === undefined ? 20 : 1))
  if (![seed, from, rounds].every(Number.isSafeInteger)) {
    say('Seed, rounds and round are whole numbers.')
    return 1
  }
  say(`Seed ${seed}${plant === undefined ? '' : `, with the bug ${plant}`}.`)
  setTimeout(
    () => {
      say('This takes longer than it may. It ends here.')
      process.exit(1)
    },
    longestMs.start + rounds * longestMs.round,
  ).unref()

  const outcome = await runRounds({ seed, rounds, from, plant, signal: stopped.signal, say })
  if (outcome.failure) say(reportOf(outcome.failure, seed))
  else
    say(
      `${outcome.messages} messages in ${outcome.rounds} rounds: none lost, doubled, reordered or invented.`,
    )
  if (plant === undefined) return outcome.failure ? 1 : 0
  say(outcome.failure ? `The bug was found after ${outcome.rounds} rounds.` : 'The bug was not found.')
  return outcome.failure ? 0 : 1
}

function reportOf({ round, wrong, faults, said }: Failure, seed: number): string {
  return [
    `Round ${round} failed:`,
    ...wrong.map((one) => `  ${one}`),
    'What broke:',
    ...faults.map(({ kind, which, atMs, forMs }) => `  after ${atMs} ms for ${forMs} ms: ${kind} ${which}`),
    'What the nodes said last:',
    ...said.map((line) => `  ${line}`),
    `Again: npm run test:fault-injection -- --seed=${seed} --round=${round}`,
  ].join('\n')
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
process.exit(
  await main().catch((error) => {
    say(stopped.signal.aborted ? 'Stopped.' : String(error.stack))
    return 1
  }),
)
