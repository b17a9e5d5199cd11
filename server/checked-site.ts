import { Resolver } from 'node:dns/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { CheckedSite } from './features/site-checks/check.ts'
import { isLocal } from './features/site-checks/web-checks.ts'
import { migrations } from './migrations-folder.ts'
import type { Db } from './tables.ts'

/** Returns the site that the settings describe. `current` returns those that operators change at the desk. */
export function checkedSite(config: Config, db: Db, current: CheckedSite['site']): CheckedSite {
  const { database, dataDir, mail, securityContact, port } = config
  return {
    db,
    migrations,
    publicUrl: config.publicUrl ?? `http://localhost:${port}`,
    hasBucket: config.s3 !== undefined,
    dataDir,
    databaseDir: databaseDirOf(database.directUrl ?? database.url, dataDir),
    mail,
    site: current,
    securityContact,
    resolver: new Resolver({ timeout: 3000, tries: 2 }),
  }
}

/** Returns the folder of the embedded PostgreSQL, or the usual one of Debian's packages and of containers. */
function databaseDirOf(url: string | undefined, dataDir: string): string | undefined {
  if (url === undefined) return join(dataDir, 'postgres')
  return isLocal(new URL(url).hostname) ? '/var/lib/postgresql' : undefined
}
