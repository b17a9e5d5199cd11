import { join } from 'node:path'
import type { Logger } from 'pino'
import { ConfigError, processConfig } from './config.ts'
import { demoLogin, fillWithDemo } from './demo/fill.ts'
import type { Deps } from './deps.ts'
import { readLexicon } from './features/matching/lexicon.ts'
import { reindexWants } from './features/wants/jobs.ts'
import { SchemaError } from './platform/db/migrate.ts'
import { EmbeddedPostgresError } from './platform/embedded-postgres/error.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/start.ts'
import { createLog } from './platform/log.ts'
import { startNode } from './start.ts'

/** Past this a stop is no longer polite. Whoever pressed Ctrl-C waits five seconds at most. */
const stopWithinMs = 4500

async function main() {
  const config = processConfig()
  const log = createLog(config.logLevel)
  const starting = config.database.url
    ? undefined
    : startEmbeddedPostgres({
        folder: join(config.dataDir, 'postgres'),
        notice: say,
        log: (line) => log.debug({ postgres: line }, 'PostgreSQL'),
      })
  // Half a second of reading, which costs none while PostgreSQL starts.
  readLexicon()
  const embedded = await starting
  const node = await startNode(config, config.database.url ?? embedded?.url ?? '', log).catch(
    async (error) => {
      await embedded?.stop()
      throw error
    },
  )

  let stopping = false
  async function stop(drainMs: number) {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), drainMs + stopWithinMs).unref()
    await node.stop(drainMs)
    await embedded?.stop()
    process.exit(0)
  }
  process.on('SIGINT', () => stop(0))
  process.on('SIGTERM', () => stop(config.drainMs))
  // The parent process has gone.
  process.once('disconnect', () => stop(0))

  const guide = embedded && config.demoData ? await openDemo(node.deps, log) : undefined
  say(`Rhubarb is ready at ${config.publicUrl ?? node.url}`)
  if (guide) say(`Look around as ${guide.email} with the password ${guide.password}`)
  if (!config.mail.smtpUrl) say(`Mails are kept at ${node.url}/outbox`)
}

/** Fills an empty market, and tells how to log in there; without a demo there is still a market. */
async function openDemo(deps: Deps, log: Logger) {
  try {
    if (await fillWithDemo(deps))
      await deps.db.transaction().execute((tx) => deps.jobs.add(tx, reindexWants, {}))
    return await demoLogin(deps)
  } catch (error) {
    log.error({ err: error }, 'The demo gardeners could not move in')
    return undefined
  }
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}

/** Returns a sentence for an error that an operator can fix, and the stack for any other. */
function sentenceFor(error: unknown): string {
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof SchemaError)
    return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? error.port : 'asked for'
    return `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=3001 npm start`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch((error) => {
  process.stderr.write(`Rhubarb could not start.\n${sentenceFor(error)}\n`)
  process.exit(1)
})
