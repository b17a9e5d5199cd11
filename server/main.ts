import { join } from 'node:path'
import { ConfigError, processConfig } from './config.ts'
import { startEmbeddedPostgres } from './platform/db/embedded-postgres.ts'
import { createLog } from './platform/log.ts'
import { startNode } from './start.ts'

/** Past this a stop is no longer polite. Whoever pressed Ctrl-C waits five seconds at most. */
const stopWithinMs = 4500

async function main() {
  const config = processConfig()
  const log = createLog(config.logLevel)
  const embedded = config.database.url
    ? undefined
    : await startEmbeddedPostgres({
        folder: join(config.dataDir, 'postgres'),
        log: (line) => log.debug({ postgres: line }, 'PostgreSQL'),
      })
  const node = await startNode(config, config.database.url ?? embedded?.url ?? '', log).catch(
    async (error) => {
      await embedded?.stop()
      throw error
    },
  )

  let stopping = false
  async function stop() {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    await node.stop()
    await embedded?.stop()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  say(`Rhubarb is ready at ${config.publicUrl ?? node.url}`)
  if (!config.mail.smtpUrl) say(`Mails are kept at ${node.url}/outbox`)
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}

/** What a person can mend is said in a sentence; anything else with its stack. */
function sentenceFor(error: unknown): string {
  if (error instanceof ConfigError) return error.message
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
