import { resolve } from 'node:path'
import { z } from 'zod'
import type { PushOptions } from './platform/push.ts'

/** Missing or invalid settings. `message` names each of them with its valid form. */
export class ConfigError extends Error {}

const port = (name: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `${name} must be a port number between 0 and 65535`)
    .transform(Number)
    .refine((number) => number <= 65_535, `${name} must be a port number between 0 and 65535`)

const wholeNumber = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine(
      (number) => number >= min && number <= max,
      `${name} must be a whole number from ${min} to ${max}`,
    )

const urlOf = (name: string, protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `${name} must look like ${example}` })

const onOff = (name: string) =>
  z.enum(['on', 'off'], `${name} must be on or off`).transform((value) => value === 'on')

const socialLinks = z
  .string()
  .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^[^=]+=https?:\/\/\S+$/,
          'SOCIAL_LINKS must look like Instagram=https://example.com/us,YouTube=https://…',
        )
        .transform((part) => {
          const [name = '', ...url] = part.split('=')
          return { name: name.trim(), url: url.join('=').trim() }
        }),
    ),
  )

const environment = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'NODE_ENV must be development, production or test')
    .default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port('PORT').default(3000),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z
    .union([z.literal('off'), port('METRICS_PORT')], 'METRICS_PORT must be a port number, or off')
    .optional(),
  PUBLIC_URL: urlOf('PUBLIC_URL', /^https?$/, 'https://rhubarb.example').optional(),
  TRUSTED_PROXIES: z.string().default(''),
  DATA_DIR: z.string().min(1, 'DATA_DIR must name a folder').default('data'),
  DATABASE_URL: urlOf(
    'DATABASE_URL',
    /^postgres(ql)?$/,
    'postgres://user:password@host:5432/rhubarb',
  ).optional(),
  DATABASE_DIRECT_URL: urlOf(
    'DATABASE_DIRECT_URL',
    /^postgres(ql)?$/,
    'postgres://user:password@host:5432/rhubarb',
  ).optional(),
  DATABASE_READ_URL: urlOf(
    'DATABASE_READ_URL',
    /^postgres(ql)?$/,
    'postgres://user:password@replica:5432/rhubarb',
  ).optional(),
  DATABASE_POOL: wholeNumber('DATABASE_POOL', 1, 500).default(10),
  STATEMENT_TIMEOUT_MS: wholeNumber('STATEMENT_TIMEOUT_MS', 100, 600_000).default(5000),
  SMTP_URL: urlOf('SMTP_URL', /^smtps?$/, 'smtp://user:password@mail.example:587').optional(),
  MAIL_FROM: z
    .string()
    .min(3, 'MAIL_FROM must look like Rhubarb <hello@rhubarb.example>')
    .default('Rhubarb <hello@rhubarb.example>'),
  SUPPORT_EMAIL: z.email('SUPPORT_EMAIL must be an e-mail address').default('hello@rhubarb.example'),
  SOCIAL_LINKS: socialLinks.default([
    { name: 'Instagram', url: 'https://www.instagram.com/' },
    { name: 'Facebook', url: 'https://www.facebook.com/' },
    { name: 'YouTube', url: 'https://www.youtube.com/' },
  ]),
  PAGES_DIR: z.string().min(1).optional(),
  REDIS_URL: urlOf('REDIS_URL', /^rediss?$/, 'redis://user:password@host:6379').optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ENDPOINT: urlOf('S3_ENDPOINT', /^https?$/, 'https://s3.example').optional(),
  S3_PATH_STYLE: onOff('S3_PATH_STYLE').default(false),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS', 0, 60).default(0),
  SSR: onOff('SSR').default(true),
  RATE_LIMITS: onOff('RATE_LIMITS').default(true),
  DEMO_DATA: onOff('DEMO_DATA').default(true),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
})

const consistent = environment.superRefine((env, context) => {
  const require = (name: string, reason: string) =>
    context.addIssue({ code: 'custom', path: [name], message: `${name} is missing: ${reason}` })
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL)
    require('DATABASE_URL', 'it is the URL of the pooler if DATABASE_DIRECT_URL is set')
  if (env.DATABASE_READ_URL && !env.DATABASE_URL)
    require('DATABASE_URL', 'it is the URL of the primary if DATABASE_READ_URL is set')
  if (env.DATABASE_READ_URL && [env.DATABASE_URL, env.DATABASE_DIRECT_URL].includes(env.DATABASE_READ_URL)) {
    context.addIssue({
      code: 'custom',
      path: ['DATABASE_READ_URL'],
      message: 'DATABASE_READ_URL must be the URL of a replica, not that of the primary',
    })
  }
  if (env.NODE_ENV === 'production') {
    if (!env.DATABASE_URL && !env.DATABASE_DIRECT_URL)
      require('DATABASE_URL', 'production needs the URL of a PostgreSQL database')
    if (!env.PUBLIC_URL)
      require('PUBLIC_URL', 'production needs the URL that members open, for the links in mails')
    if (!env.SMTP_URL)
      require('SMTP_URL', 'production needs a mail server, like smtp://user:password@mail.example:587')
    if (!env.RATE_LIMITS) {
      context.addIssue({
        code: 'custom',
        path: ['RATE_LIMITS'],
        message: 'RATE_LIMITS=off is for load tests and is refused in production',
      })
    }
  }
  const keys = [env.S3_BUCKET, env.S3_ACCESS_KEY_ID, env.S3_SECRET_ACCESS_KEY]
  if (keys.some(Boolean) && !keys.every(Boolean)) {
    require('S3_*', 'to store images in S3, set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together')
  }
})

export interface Config {
  readonly production: boolean
  readonly host: string
  readonly port: number
  readonly metrics: { readonly host: string; readonly port: number | 'off' | undefined }
  readonly publicUrl: string | undefined
  readonly trustedProxies: readonly string[]
  readonly dataDir: string
  readonly database: {
    readonly url: string | undefined
    /** PostgreSQL without a pooler, for everything that needs a session. Requires `url`, the pooler. */
    readonly directUrl: string | undefined
    /** A replica without a pooler. */
    readonly readUrl: string | undefined
    /** Override for tests of the lag in milliseconds with which a replica is left out. */
    readonly maxReplicaLagMs?: number
    readonly pool: number
    readonly statementTimeoutMs: number
  }
  readonly redisUrl: string | undefined
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string }
  readonly site: {
    readonly support_email: string
    readonly social_links: readonly { name: string; url: string }[]
    /** The folder of the operator's own pages in Markdown. */
    readonly pages_dir: string | undefined
  }
  /** Overrides for tests. By default host names are resolved to public addresses only. */
  readonly push: Pick<PushOptions, 'lookup' | 'port' | 'ca'>
  readonly s3:
    | {
        readonly bucket: string
        readonly region: string
        readonly endpoint: string | undefined
        readonly pathStyle: boolean
        readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
      }
    | undefined
  /** The time in which a stopping node still serves but reports that it is not ready, so that proxies notice. */
  readonly drainMs: number
  /** True if members' pages are rendered on the server. Otherwise they are the app shell, which the browser renders. */
  readonly ssr: boolean
  readonly rateLimits: boolean
  readonly demoData: boolean
  readonly logLevel: string
}

/** Reads the settings. Throws a ConfigError that names every wrong or missing variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = consistent.safeParse(present)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => issue.message).join('\n'))
  const settings = parsed.data
  return {
    production: settings.NODE_ENV === 'production',
    host: settings.HOST,
    port: settings.PORT,
    metrics: { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
    trustedProxies: settings.TRUSTED_PROXIES.split(',')
      .map((address) => address.trim())
      .filter(Boolean),
    dataDir: resolve(settings.DATA_DIR),
    database: {
      url: settings.DATABASE_URL,
      directUrl: settings.DATABASE_DIRECT_URL,
      readUrl: settings.DATABASE_READ_URL,
      pool: settings.DATABASE_POOL,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
    },
    redisUrl: settings.REDIS_URL,
    mail: { smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM },
    site: {
      support_email: settings.SUPPORT_EMAIL,
      social_links: settings.SOCIAL_LINKS,
      pages_dir: settings.PAGES_DIR && resolve(settings.PAGES_DIR),
    },
    s3:
      settings.S3_BUCKET && settings.S3_ACCESS_KEY_ID && settings.S3_SECRET_ACCESS_KEY
        ? {
            bucket: settings.S3_BUCKET,
            region: settings.S3_REGION,
            endpoint: settings.S3_ENDPOINT,
            pathStyle: settings.S3_PATH_STYLE,
            credentials: {
              accessKeyId: settings.S3_ACCESS_KEY_ID,
              secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
            },
          }
        : undefined,
    push: {},
    drainMs: settings.DRAIN_SECONDS * 1000,
    ssr: settings.SSR,
    rateLimits: settings.RATE_LIMITS,
    demoData: settings.DEMO_DATA,
    logLevel: settings.LOG_LEVEL,
  }
}

/** Returns the settings of this process. Nothing else reads the environment. */
export function processConfig(): Config {
  // biome-ignore lint/style/noProcessEnv: this is the only reader of the environment.
  return readConfig(process.env)
}
