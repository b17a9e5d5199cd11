import type { Config } from './config.ts'
import type { RhubarbEvents } from './domain-events.ts'
import type { Sessions } from './features/auth/sessions.ts'
import type { Reads } from './features/recent-writes/reads.ts'
import type { NodeState } from './features/site-checks/node-state.ts'
import type { Site } from './features/site-settings/site.ts'
import type { Uploads } from './platform/http/upload.ts'
import type { TranslatorFor } from './platform/i18n/translator.ts'
import type { Images } from './platform/images/images.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Mailer } from './platform/mail.ts'
import type { Pusher } from './platform/push.ts'
import type { RateLimits } from './platform/rate-limits.ts'
import type { Realtime } from './platform/realtime/realtime.ts'
import type { TokenBuckets } from './platform/token-buckets.ts'
import type { Db } from './tables.ts'

/** The dependencies of features. A rule takes those that it needs. */
export interface Deps {
  /** The primary. */
  readonly db: Db
  /** Reads that may come from a replica. */
  readonly reads: Reads
  readonly jobs: Jobs
  readonly events: RhubarbEvents
  readonly mailer: Mailer
  readonly pusher: Pusher
  readonly images: Images
  readonly uploads: Uploads
  readonly limits: RateLimits
  /** Rate limits in the memory of this node, for frequent calls. */
  readonly tokenBuckets: TokenBuckets
  readonly sessions: Sessions
  readonly realtime: Realtime
  /** The URL that members open. Links in mails start with it. */
  readonly publicUrl: string
  /** The settings that operators change at the desk. */
  readonly site: Site
  /** The folder of the operator's own pages in Markdown. */
  readonly pagesDir: string | undefined
  /** The country of the site with its currency and its unit of distance. */
  readonly region: Config['region']
  readonly trustedProxies: Config['trustedProxies']
  /** The state of this node, for the desk. */
  readonly node: NodeState
  readonly translatorFor: TranslatorFor
}

/** Sends events to the sockets of members. */
export interface Publisher {
  readonly realtime: Pick<Realtime, 'publish'>
}

/** The dependencies of subscribers, which commands of the operator have too. */
export type Subscriber = Publisher & Pick<Deps, 'events' | 'jobs'>
