import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { moment } from './fields.ts'

/** Names the checks. */
export const checkKeys = [
  'database',
  'migrations',
  'site',
  'certificate',
  'mail',
  'spf',
  'dkim',
  'dmarc',
  'photo_disk',
  'database_disk',
  'backup',
  'push_keys',
  'security_contact',
  'redis',
  'replica',
  'jobs',
] as const

/** Says what a check has found and what to do, in the language of the caller. */
export const siteFinding = z.object({
  key: z.enum(checkKeys),
  state: z.enum(['ok', 'warning', 'error']),
  says: z.string(),
  todo: z.nullable(z.string()),
})
export type SiteFinding = z.output<typeof siteFinding>

export const health = z.object({
  /** The version of the node that answers. */
  release: z.string(),
  /** The nodes that run. */
  nodes: z.int(),
  postgresql: z.object({ version: z.string(), bytes: z.int() }),
  /** How late the replica is, null while it does not respond, and whether it is read. Null without one. */
  replica: z.nullable(z.object({ lag_ms: z.nullable(z.int()), is_used: z.boolean() })),
  /** Whether Redis is connected. Null without one. */
  redis: z.nullable(z.boolean()),
  photos: z.object({ count: z.int(), bytes: z.int(), in_bucket: z.boolean() }),
  /** When the newest backup was taken. Null if there was none. */
  backup_at: z.nullable(moment),
  /** Lists the findings of the checks of the machine and the database. */
  alerts: z.array(siteFinding),
})
export type Health = z.output<typeof health>

export const getHealth = endpoint({
  method: 'GET',
  path: '/desk/health',
  summary: 'Get the state of the nodes, the database and the disks',
  auth: 'operator',
  response: { 200: health },
})

export const checkSiteNow = endpoint({
  method: 'GET',
  path: '/desk/health/checks',
  summary: 'Check the site like `npm run check-site`: certificate, mail and DNS too',
  auth: 'operator',
  response: { 200: z.array(siteFinding) },
})
