import { Resolver } from 'node:dns/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Config } from './config.ts'
import { openConfiguredDatabase } from './configured-data.ts'
import type { CheckedSite } from './features/site-checks/check.ts'
import { checkSite, type Finding } from './features/site-checks/checks.ts'
import { isLocal } from './features/site-checks/web-checks.ts'
import { createDb, createPool } from './platform/db/database.ts'
import { OperatorError } from './platform/errors.ts'
import { createTranslators, type Translator } from './platform/i18n/translator.ts'
import { migrations } from './start.ts'
import type { Db, Tables } from './tables.ts'

const usage = `npm run check-site -- [--mail=ADDRESS] [--dkim=SELECTOR]
  Checks the database, the certificate, mail, DNS, disks and the newest backup, and says what to do.
  --mail sends a test mail. --dkim names the key of your mail provider, like s1 for s1._domainkey.`

/** Checks the configured site, whether it runs or not. Returns what to print, and the exit code 1 if there is an error. */
export async function runSiteChecks(
  readConfig: () => Config,
  words: readonly string[],
): Promise<{ code: number; output: string }> {
  try {
    const { mail, dkim } = parseWords(words)
    const config = readConfig()
    const t = createTranslators(config.region)('en')
    await using database = await openConfiguredDatabase(config)
    const pool = createPool({
      url: database.url,
      pool: 2,
      statementTimeoutMs: config.database.statementTimeoutMs,
    })
    try {
      const findings = await checkSite({
        ...checkedSite(config, createDb<Tables>(pool)),
        testMail: mail === undefined ? undefined : { to: mail, t },
        dkimSelector: dkim,
      })
      return {
        code: findings.some(({ state }) => state === 'error') ? 1 : 0,
        output: findings.map((finding) => `${lineOf(finding, t)}\n`).join(''),
      }
    } finally {
      await pool.end()
    }
  } catch (error) {
    if (error instanceof OperatorError) return { code: 1, output: `${error.message}\n` }
    throw error
  }
}

/** Returns the site that the settings describe. */
export function checkedSite(config: Config, db: Db): CheckedSite {
  const { database, dataDir, mail, site, securityContact, port } = config
  return {
    db,
    migrations,
    publicUrl: config.publicUrl ?? `http://localhost:${port}`,
    hasBucket: config.s3 !== undefined,
    dataDir,
    databaseDir: databaseDirOf(database.directUrl ?? database.url, dataDir),
    mail,
    site,
    securityContact,
    resolver: new Resolver({ timeout: 3000, tries: 2 }),
  }
}

/** Returns the folder of the embedded PostgreSQL, or the usual one of Debian's packages and of containers. */
function databaseDirOf(url: string | undefined, dataDir: string): string | undefined {
  if (url === undefined) return join(dataDir, 'postgres')
  return isLocal(new URL(url).hostname) ? '/var/lib/postgresql' : undefined
}

function parseWords(words: readonly string[]) {
  const options = { mail: { type: 'string' }, dkim: { type: 'string' } } as const
  try {
    const { values } = parseArgs({ args: [...words], options })
    if (values.mail !== undefined) z.email().parse(values.mail)
    if (values.dkim !== undefined)
      z.string()
        .regex(/^[\w.-]+$/)
        .parse(values.dkim)
    return values
  } catch (cause) {
    throw new OperatorError(usage, { cause })
  }
}

const keyWidth = 16

function lineOf({ key, state, says, todo }: Finding, t: Translator): string {
  const sentences = todo ? `${says(t)} ${todo(t)}` : says(t)
  return `${state.padEnd('warning'.length)}  ${key.replaceAll('_', ' ').padEnd(keyWidth)}  ${sentences}`
}
