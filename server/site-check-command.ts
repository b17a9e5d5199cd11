import { parseArgs } from 'node:util'
import { z } from 'zod'
import { checkedSite } from './checked-site.ts'
import type { Config } from './config.ts'
import { openConfiguredDatabase } from './configured-data.ts'
import { environmentSettings } from './environment-settings.ts'
import { checkSite, type Finding } from './features/site-checks/checks.ts'
import { readSettings } from './features/site-settings/site.ts'
import { createDb, createPool } from './platform/db/database.ts'
import { OperatorError } from './platform/errors.ts'
import { createTranslators, type Translator } from './platform/i18n/translator.ts'
import type { Tables } from './tables.ts'

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
      const db = createDb<Tables>(pool)
      const settings = await readSettings(db, environmentSettings(config))
      const findings = await checkSite({
        ...checkedSite(config, db, () => settings),
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
