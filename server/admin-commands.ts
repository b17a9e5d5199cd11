import { type DeskRole, deskRoles } from '#contract/desk-roles.ts'
import { normalizeIdentifier } from '#contract/identifiers.ts'
import { registerSubscribers } from './app.ts'
import type { Config } from './config.ts'
import { openConfiguredDatabase, openStorage } from './configured-data.ts'
import type { Subscriber } from './deps.ts'
import type { RhubarbEvents } from './domain-events.ts'
import { createSessions } from './features/auth/sessions.ts'
import { giveRole, memberNamed, takeRole } from './features/desk/roles.ts'
import { distributeMessages } from './features/messages/distribution.ts'
import { hideListing, restoreMember, suspendMember } from './features/reports/moderation.ts'
import { copyReportedPhotos, describeReports } from './features/reports/review.ts'
import { startSwapDay } from './features/site-settings/saving.ts'
import { createDb, createPool } from './platform/db/database.ts'
import { createDomainEvents } from './platform/domain-events.ts'
import { AppError, OperatorError } from './platform/errors.ts'
import { localBus } from './platform/events/event-bus.ts'
import { createJobs, listDeadLetters, retryDeadLetters } from './platform/jobs.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { rateLimits } from './platform/rate-limits.ts'
import type { Db, Tables } from './tables.ts'

const usage = `npm run admin -- COMMAND

  reports               the newest reports
  photos REPORT_ID      store the photos of a reported listing or message in a folder, and print their names
  hide LISTING_ID       hide a listing from everybody except its owner
  show LISTING_ID       show it again
  suspend USERNAME      log a member out, prevent logins and hide their listings
  restore USERNAME      end a suspension
  swap-day HOURS        let up to 500 members an hour register through one network, as at a seed swap
  grant USERNAME ROLE   make a member an \`operator\` or a \`moderator\`
  revoke USERNAME       take the role from a member
  jobs                  the dead-letter jobs with their errors
  retry JOB_ID          retry one of them; \`retry all\` retries all
  distribute-messages   move messages and threads to the workers of a Citus cluster`

const maxJobs = 50

/** PostgreSQL's error code for a missing table. */
const undefinedTable = '42P01'

/** Runs a command on the configured database, whether the server runs or not. Returns the exit code and what to print. */
export async function runAdminCommand(
  readConfig: () => Config,
  words: readonly string[],
): Promise<{ code: number; output: string }> {
  try {
    return { code: 0, output: `${await runCommand(readConfig(), words.map(normalizeIdentifier))}\n` }
  } catch (error) {
    return { code: 1, output: `${describeError(error)}\n` }
  }
}

function describeError(error: unknown): string {
  if (error instanceof OperatorError || error instanceof AppError) return error.message
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === undefinedTable)
    return 'This database is empty. Start Rhubarb on it once: npm start'
  return error.stack ?? error.message
}

async function runCommand(config: Config, [command, argument, second]: readonly string[]): Promise<string> {
  await using database = await openConfiguredDatabase(config)
  const { url } = database
  const pool = createPool({ url, pool: 1, statementTimeoutMs: config.database.statementTimeoutMs })
  const db = createDb<Tables>(pool)
  const sessions = createSessions(db, localBus)
  try {
    switch (command) {
      case 'reports':
        return await describeReports(db)
      case 'photos':
        return await copyReportedPhotos(db, await openStorage(config), parseId(argument))
      case 'hide':
      case 'show':
        await withEvents(url, (deps) => hideListing({ db, ...deps }, parseId(argument), command === 'hide'))
        return `Listing ${argument} is ${command === 'hide' ? 'hidden' : 'shown again'}.`
      case 'suspend':
        await withEvents(url, (deps) => suspendMember({ db, sessions, ...deps }, requireUsername(argument)))
        return `${argument} is suspended and logged out.`
      case 'restore':
        await withEvents(url, (deps) => restoreMember({ db, ...deps }, requireUsername(argument)))
        return `${argument} may log in again.`
      case 'swap-day':
        await startSwapDay({ db, limits: rateLimits(pool) }, null, parseHours(argument))
        return `Visitors of a swap may register for ${argument} hours.`
      case 'grant':
        await giveRole(db, null, { username: requireUsername(argument), role: parseRole(second) })
        return `${argument} is ${second} now and finds the desk in the profile.`
      case 'revoke':
        await takeRole(db, null, await memberNamed(db, requireUsername(argument)))
        return `${argument} has no role any more.`
      case 'jobs':
        return await describeDeadLetters(db)
      case 'retry':
        return `${(await retryDeadLetters(db, argument === 'all' ? undefined : parseJobId(argument))).length} will be retried.`
      case 'distribute-messages':
        return await distributeMessages(db)
      default:
        throw new OperatorError(usage)
    }
  } finally {
    await pool.end()
  }
}

/** Runs work with the subscribers and the job queue of a node, but without sockets. */
async function withEvents(url: string, work: (deps: Subscriber) => Promise<void>): Promise<void> {
  const events: RhubarbEvents = createDomainEvents()
  const jobs = createJobs({ url, log: createLog('silent'), metrics: createMetrics() })
  const deps = { events, jobs, realtime: { publish: () => {} } }
  registerSubscribers(deps)
  await jobs.start()
  try {
    await work(deps)
  } finally {
    await jobs.stop()
  }
}

async function describeDeadLetters(db: Db): Promise<string> {
  const lines = (await listDeadLetters(db, maxJobs)).map(
    ({ id, name, data, tries, at, message }) =>
      `${id}  ${at}  ${name} ${JSON.stringify(data)}, tried ${tries} times\n    ${message ?? '(no error message)'}`,
  )
  return lines.length > 0 ? lines.join('\n') : 'No dead-letter jobs.'
}

function parseJobId(text: string | undefined): string {
  if (!text || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) throw new OperatorError(usage)
  return text
}

function parseId(text: string | undefined): number {
  if (!text || !/^[1-9]\d{0,14}$/.test(text)) throw new OperatorError(usage)
  return Number(text)
}

function parseHours(text: string | undefined): number {
  if (!text || !/^([1-9]|1\d|2[0-4])$/.test(text))
    throw new OperatorError('Please give the hours, from 1 to 24')
  return Number(text)
}

function parseRole(text: string | undefined): DeskRole {
  const role = deskRoles.find((name) => name === text)
  if (!role) throw new OperatorError(usage)
  return role
}

function requireUsername(text: string | undefined): string {
  if (!text) throw new OperatorError(usage)
  return text
}
