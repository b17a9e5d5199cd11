// `npm run test:fault-injection` sends messages while processes and connections fail. `-- --rounds=200 --seed=1` sets the number of
// rounds and the seed; `--cluster=URL` empties the database of a Citus coordinator and uses it; `--round=17` runs one round; `--mutation=ack-before-commit` expects the bug to be detected (mutations.ts).
import { parseArgs } from 'node:util'
import { resetCluster } from '#test/cluster/reset.ts'
import { isMutation, mutations } from './mutations.ts'
import { type Failure, runRounds } from './rounds.ts'

/** A round takes some seconds. A failing one runs into its timeout. */
const timeoutMs = { start: 120_000, round: 240_000 }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      round: { type: 'string' },
      seed: { type: 'string' },
      mutation: { type: 'string' },
      cluster: { type: 'string' },
    },
  })
  const { mutation } = values
  if (mutation !== undefined && !isMutation(mutation)) {
    print(`There is no mutation ${mutation}. The mutations are ${Object.keys(mutations).join(', ')}.`)
    return 1
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
  const from = Number(values.round ?? 1)
  const rounds = Number(values.rounds ?? (values.round === undefined ? 20 : 1))
  if (![seed, from, rounds].every(Number.isSafeInteger)) {
    print('Seed, rounds and round must be whole numbers.')
    return 1
  }
  print(`Seed ${seed}${mutation === undefined ? '' : `, with the bug ${mutation}`}.`)
  setTimeout(
    () => {
      print('The run exceeds its time limit.')
      process.exit(1)
    },
    timeoutMs.start + rounds * timeoutMs.round,
  ).unref()

  if (values.cluster) await resetCluster(values.cluster)
  const options = { seed, rounds, from, mutation, databaseUrl: values.cluster }
  const outcome = await runRounds({ ...options, signal: stopped.signal, report: print })
  if (outcome.failure) print(reportOf(outcome.failure, seed))
  else
    print(
      `${outcome.messages} messages in ${outcome.rounds} rounds: none lost, duplicated, reordered or unknown. ${outcome.socketErrors} socket errors, all “try again”.`,
    )
  if (mutation === undefined) return outcome.failure ? 1 : 0
  print(outcome.failure ? `The bug was found after ${outcome.rounds} rounds.` : 'The bug was not found.')
  return outcome.failure ? 0 : 1
}

function reportOf({ round, violations, faults, output }: Failure, seed: number): string {
  return [
    `Round ${round} failed:`,
    ...violations.map((violation) => `  ${violation}`),
    'Faults:',
    ...faults.map((fault) => `  ${fault}`),
    'Last output of the nodes:',
    ...output.map((line) => `  ${line}`),
    `Repeat: npm run test:fault-injection -- --seed=${seed} --round=${round}`,
  ].join('\n')
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
process.exit(
  await main().catch((error) => {
    print(stopped.signal.aborted ? 'Stopped.' : String(error.stack))
    return 1
  }),
)
