import { join } from 'node:path'
import type { Logger } from 'pino'
import { inTransaction } from '#server/platform/db/database.ts'
import { processConfig } from './config.ts'
import { demoLogin, fillWithDemo } from './demo/fill.ts'
import type { Deps } from './deps.ts'
import { readLexicon } from './features/matching/lexicon.ts'
import { reindexWants } from './features/wants/jobs.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/start.ts'
import { OperatorError } from './platform/errors.ts'
import { createLog } from './platform/log.ts'
import { type OpenClient, startNode } from './start.ts'

/** The process exits if stopping takes longer. Ctrl-C takes five seconds at most. */
const stopTimeoutMs = 4500

/**
 * Runs the site until a signal stops it: starts the embedded PostgreSQL if no other is set, and one node. Prints where to open it.
 * An error at the start ends the process with a message.
 * @param openClient the web client to serve; by default the built one
 */
export async function runSite(openClient?: OpenClient): Promise<void> {
  try {
    await start(openClient)
  } catch (error) {
    process.stderr.write(`Rhubarb could not start.\n${describe(error)}\n`)
    process.exit(1)
  }
}

async function start(openClient: OpenClient | undefined): Promise<void> {
  const config = processConfig()
  const log = createLog(config.logLevel)
  const starting = config.database.url
    ? undefined
    : startEmbeddedPostgres({
        folder: join(config.dataDir, 'postgres'),
        notice: print,
        log: (line) => log.debug({ postgres: line }, 'PostgreSQL'),
        // The next start recovers the database.
        onExit(reason) {
          process.stderr.write(`${reason} Start Rhubarb again. LOG_LEVEL=debug shows PostgreSQL's log.\n`)
          process.exit(1)
        },
      })
  // Reading takes half a second, so it happens while PostgreSQL starts.
  readLexicon()
  const embedded = await starting
  const url = config.database.url ?? embedded?.url ?? ''
  const node = await startNode(config, url, log, openClient).catch(async (error) => {
    await embedded?.stop()
    throw error
  })

  let stopping = false
  async function stop(drainMs: number) {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), drainMs + stopTimeoutMs).unref()
    await node.stop(drainMs)
    await embedded?.stop()
    process.exit(0)
  }
  process.on('SIGINT', () => stop(0))
  process.on('SIGTERM', () => stop(config.drainMs))
  // The parent process has exited, perhaps during the start.
  process.once('disconnect', () => stop(0))
  if (process.connected === false) await stop(0)

  const login = embedded && config.demoData ? await openDemo(node.deps, log) : undefined
  print(`Rhubarb is ready at ${config.publicUrl ?? node.url}`)
  if (login) print(`Log in as ${login.email} with the password ${login.password}`)
  if (!config.mail.smtpUrl) print(`Mails are shown at ${node.url}/outbox`)
}

/** Fills an empty database with the demo data. Returns the demo login, or undefined if that fails. */
async function openDemo(deps: Deps, log: Logger) {
  try {
    if (await fillWithDemo(deps)) await inTransaction(deps.db, (tx) => deps.jobs.add(tx, reindexWants, {}))
    return await demoLogin(deps)
  } catch (error) {
    log.error({ err: error }, 'The demo data could not be stored')
    return undefined
  }
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

/** Returns a message for an error that an operator can fix, and the stack for any other. */
function describe(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? error.port : 'of PORT'
    return `Port ${port} is used by another program. Stop that program, or choose another port: PORT=3001 npm start`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
