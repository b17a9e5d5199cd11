import type { CheckedSite, Outcome, SiteCheck } from './check.ts'
import { reasonOf, warning } from './check.ts'
import { backupCheck, databaseCheck, migrationsCheck, pushKeysCheck } from './database-checks.ts'
import { databaseDiskCheck, photoDiskCheck } from './disk-checks.ts'
import { dkimCheck, dmarcCheck, spfCheck } from './domain-checks.ts'
import { mailCheck } from './mail-check.ts'
import { certificateCheck, securityContactCheck, siteCheck } from './web-checks.ts'

/** The checks after those of the database and its migrations, in the order in which an operator reads them. */
const checks = [
  siteCheck,
  certificateCheck,
  mailCheck,
  spfCheck,
  dkimCheck,
  dmarcCheck,
  photoDiskCheck,
  databaseDiskCheck,
  backupCheck,
  pushKeysCheck,
  securityContactCheck,
] as const satisfies readonly SiteCheck[]

type Check = (typeof checks)[number] | typeof databaseCheck | typeof migrationsCheck

/** What a check has found at a site. */
export interface Finding extends Outcome {
  readonly key: Check['name']
}

/** Those that look at this machine and the database only, so that they take no time. */
const localChecks = [migrationsCheck, photoDiskCheck, databaseDiskCheck, backupCheck, pushKeysCheck] as const

/** Checks what needs no network, when the database can be reached. */
export async function checkLocally(site: CheckedSite): Promise<Finding[]> {
  return (await Promise.all(localChecks.map((check) => findingOf(check, site)))).flat()
}

/**
 * Checks the settings and the surroundings of a site: database, certificate, mail, disk, backup. Needs no internet and throws nothing:
 * what can not be checked is a warning. Those that need the database are left out if it can not be reached or is not migrated.
 */
export async function checkSite(site: CheckedSite): Promise<Finding[]> {
  const database = await findingOf(databaseCheck, site)
  if (database[0]?.state !== 'error') database.push(...(await findingOf(migrationsCheck, site)))
  const isUsable = database.every(({ state }) => state !== 'error')
  const others = checks.filter((check) => isUsable || !('needsDatabase' in check))
  return [...database, ...(await Promise.all(others.map((check) => findingOf(check, site)))).flat()]
}

async function findingOf({ name: key, check }: Check, site: CheckedSite): Promise<Finding[]> {
  try {
    const outcome = await check(site)
    return outcome ? [{ key, ...outcome }] : []
  } catch (error) {
    const reason = reasonOf(error)
    return [
      {
        key,
        ...warning(
          (t) => t('This could not be checked: {reason}.', { reason }),
          (t) => t('Try again.'),
        ),
      },
    ]
  }
}
