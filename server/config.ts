import { isIP } from 'node:net'
import { resolve } from 'node:path'
import addressparser from 'nodemailer/lib/addressparser'
import { z } from 'zod'
import { OperatorError } from '#server/platform/errors.ts'

// The messages follow the name of the variable.

const wholeNumber = (min: number, max: number, error = `must be a whole number from ${min} to ${max}`) =>
  z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error))

const port = wholeNumber(0, 65_535, 'must be a port number between 0 and 65535')

/** Matches a character that is raw in a user name or password, or a percent sign that encodes nothing. */
const rawCharacter = /^[^/]*\/\/[^@]*[/?#@][^@]*@|@.*@|%(?![0-9a-f]{2})/i

/** Returns a schema for a URL. Without the check, a raw character in a password would make the rest of the password a part of the host or path. */
const url = (protocol: RegExp, example: string) =>
  z
    .string()
    .refine((text) => !rawCharacter.test(text), {
      error:
        'must have %40 for @, %2F for /, %3F for ?, %23 for # and %25 for % in its user name and password',
      abort: true,
    })
    .pipe(z.url({ protocol, error: `must look like ${example}` }))
    .optional()

const siteUrl = url(/^https?$/, 'https://rhubarb.example').refine(
  (text = '') => !/^https?:/i.test(text) || /^https?:\/\/[^/?#@]+\/*$/i.test(text),
  'must be only a scheme and a host, like https://rhubarb.example, without a path, query or user name',
)

/** Returns whether a text is a network that proxies can be in, like 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(text)
  const bits = Number(prefix ?? 1)
  return /^\d*$/.test(prefix ?? '') && bits >= 1 && bits <= (family === 4 ? 32 : 128)
}

/** Returns whether a text is one sender: an address, with or without a name. */
function isSender(text: string): boolean {
  const [sender, ...others] = addressparser(text)
  return others.length === 0 && sender?.address !== undefined && z.email().safeParse(sender.address).success
}

const databaseUrl = (host: string) => url(/^postgres(ql)?$/, `postgres://user:password@${host}:5432/rhubarb`)

const onOff = z.stringbool({
  truthy: ['on'],
  falsy: ['off'],
  case: 'sensitive',
  error: 'must be on or off',
})

const socialLinks = z
  .string()
  .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
  .pipe(
    z.array(
      z
        .string()
        .regex(/^[^=]+=https?:\/\/\S+$/, 'must look like Instagram=https://example.com/us,YouTube=https://…')
        .transform((part) => {
          const [name = '', ...url] = part.split('=')
          return { name: name.trim(), url: url.join('=').trim() }
        }),
    ),
  )

const password = z.string().min(1).optional()

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

const environment = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.union([z.literal('off'), port], 'must be a port number, or off').optional(),
  PUBLIC_URL: siteUrl,
  TRUSTED_PROXIES: list
    .pipe(z.array(z.string().refine(isNetwork, 'must be addresses or networks like 127.0.0.1,10.0.0.0/8')))
    .default([]),
  DATA_DIR: z.string().min(1, 'must name a folder').default('data'),
  DATABASE_URL: databaseUrl('host'),
  DATABASE_DIRECT_URL: databaseUrl('host'),
  DATABASE_READ_URL: databaseUrl('replica'),
  DATABASE_PASSWORD: password,
  DATABASE_POOL: wholeNumber(1, 500).default(10),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000).default(5000),
  SMTP_URL: url(/^smtps?$/, 'smtp://user:password@mail.example:587'),
  SMTP_PASSWORD: password,
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must look like Rhubarb <hello@rhubarb.example>')
    .default('Rhubarb <hello@rhubarb.example>'),
  SUPPORT_EMAIL: z.email('must be an e-mail address').default('hello@rhubarb.example'),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/)\S+$/, 'must look like mailto:security@rhubarb.example or https://…')
    .optional(),
  SOCIAL_LINKS: socialLinks.default([
    { name: 'Instagram', url: 'https://www.instagram.com/' },
    { name: 'Facebook', url: 'https://www.facebook.com/' },
    { name: 'YouTube', url: 'https://www.youtube.com/' },
  ]),
  PAGES_DIR: z.string().min(1).optional(),
  COUNTRY: z
    .string()
    .refine(isCountry, 'must be a country in two capital letters like US (ISO 3166)')
    .default('US'),
  CURRENCY: z
    .string()
    .refine(
      (code) => Intl.supportedValuesOf('currency').includes(code),
      'must be a currency like USD (ISO 4217)',
    )
    .optional(),
  DISTANCE_UNIT: z.enum(['mi', 'km'], 'must be mi or km').optional(),
  REDIS_URL: url(/^rediss?$/, 'redis://user:password@host:6379'),
  PUSH_SERVICES: list
    .pipe(z.array(z.string().regex(/^[\w.-]+(:\d+)?$/, 'must be host names like push.example')))
    .default([]),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ENDPOINT: url(/^https?$/, 'https://s3.example'),
  S3_PATH_STYLE: onOff.default(false),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  FIRST_CONTACTS: z
    .string()
    .regex(/^\d{1,4},\d{1,4},\d{1,4}$/, 'must be three numbers like 5,20,60')
    .default('5,20,60')
    .transform((text) => {
      const [unconfirmed = 0, firstWeek = 0, later = 0] = text.split(',').map(Number)
      return { unconfirmed, firstWeek, later }
    }),
  EQUAL_TEXTS: wholeNumber(1, 10_000).default(5),
  REGISTRATIONS_PER_HOUR: wholeNumber(1, 10_000).default(20),
  DRAIN_SECONDS: wholeNumber(0, 60).default(0),
  SSR: onOff.default(true),
  RATE_LIMITS: onOff.default(true),
  DEMO_DATA: onOff.default(true),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
})

/** Returns whether `Intl` has a name for the code of a country. */
function isCountry(code: string): boolean {
  return (
    /^[A-Z]{2}$/.test(code) &&
    new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined
  )
}

/** The settings of passwords, which need no encoding, and the URLs that they belong to. */
const passwords = [
  ['DATABASE_PASSWORD', ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL']],
  ['SMTP_PASSWORD', ['SMTP_URL']],
] as const

function withPassword(text: string | undefined, password: string | undefined): string | undefined {
  if (text === undefined || password === undefined) return text
  const url = new URL(text)
  url.password = encodeURIComponent(password)
  return url.href
}

const consistent = environment.superRefine((env, context) => {
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL)
    context.addIssue('DATABASE_URL is missing: it is the URL of the pooler if DATABASE_DIRECT_URL is set')
  if (env.DATABASE_READ_URL && !env.DATABASE_URL)
    context.addIssue('DATABASE_URL is missing: it is the URL of the primary if DATABASE_READ_URL is set')
  if (env.DATABASE_READ_URL && [env.DATABASE_URL, env.DATABASE_DIRECT_URL].includes(env.DATABASE_READ_URL))
    context.addIssue('DATABASE_READ_URL must be the URL of a replica, not that of the primary')
  if (env.NODE_ENV === 'production') {
    if (!env.DATABASE_URL && !env.DATABASE_DIRECT_URL)
      context.addIssue('DATABASE_URL is missing: production needs the URL of a PostgreSQL database')
    if (!env.PUBLIC_URL)
      context.addIssue(
        'PUBLIC_URL is missing: production needs the URL that members open, for the links in mails',
      )
    if (!env.SMTP_URL)
      context.addIssue(
        'SMTP_URL is missing: production needs a mail server, like smtp://user:password@mail.example:587',
      )
    if (!env.RATE_LIMITS) context.addIssue('RATE_LIMITS=off is for load tests and is refused in production')
  }
  for (const [setting, urls] of passwords) {
    if (env[setting] === undefined) continue
    const given = urls.flatMap((name) => {
      const parsed = URL.parse(env[name] ?? '')
      return parsed ? [[name, parsed] as const] : []
    })
    if (given.length === 0) context.addIssue(`${setting} needs ${urls[0]}, with a user name`)
    for (const [name, { username, password }] of given) {
      if (username === '') context.addIssue(`${name} must have a user name for ${setting}`)
      if (password !== '') context.addIssue(`${name} must have no password beside ${setting}`)
    }
  }
  if (env.COUNTRY !== 'US' && !env.CURRENCY)
    context.addIssue('CURRENCY is missing: a site of another country than US needs its currency, like EUR')
  const keys = [env.S3_BUCKET, env.S3_ACCESS_KEY_ID, env.S3_SECRET_ACCESS_KEY]
  if (keys.some(Boolean) && !keys.every(Boolean))
    context.addIssue(
      'S3_* is missing: to store images in S3, set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together',
    )
})

/** The settings, with overrides for tests. */
export type Config = ReturnType<typeof readConfig> & {
  /** The certificate authority of push services. */
  readonly push: { readonly ca?: string }
  /** The lag in milliseconds with which a replica is left out. */
  readonly database: { readonly maxReplicaLagMs?: number }
}

/** Reads the settings. Throws an OperatorError that names every wrong or missing variable. */
export function readConfig(env: Record<string, string | undefined>) {
  const present = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value !== undefined && (value !== '' || name === 'SOCIAL_LINKS'),
    ),
  )
  const parsed = consistent.safeParse(present)
  if (!parsed.success)
    throw new OperatorError(
      parsed.error.issues.map(({ path, message }) => [...path.slice(0, 1), message].join(' ')).join('\n'),
    )
  const settings = parsed.data
  return {
    host: settings.HOST,
    port: settings.PORT,
    metrics: { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    publicUrl: settings.PUBLIC_URL && new URL(settings.PUBLIC_URL).origin,
    trustedProxies: settings.TRUSTED_PROXIES,
    dataDir: resolve(settings.DATA_DIR),
    database: {
      url: withPassword(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
      /** PostgreSQL without a pooler, for everything that needs a session. Requires `url`, the pooler. */
      directUrl: withPassword(settings.DATABASE_DIRECT_URL, settings.DATABASE_PASSWORD),
      /** A replica without a pooler. */
      readUrl: withPassword(settings.DATABASE_READ_URL, settings.DATABASE_PASSWORD),
      pool: settings.DATABASE_POOL,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
    },
    redisUrl: settings.REDIS_URL,
    mail: { smtpUrl: withPassword(settings.SMTP_URL, settings.SMTP_PASSWORD), from: settings.MAIL_FROM },
    /** Where flaws are reported, as a URL. By default the support contact. */
    securityContact: settings.SECURITY_CONTACT,
    /** The hosts of push services that browsers do not use by themselves. */
    push: { services: settings.PUSH_SERVICES },
    site: {
      support_email: settings.SUPPORT_EMAIL,
      social_links: settings.SOCIAL_LINKS,
      /** The folder of the operator's own pages in Markdown. */
      pages_dir: settings.PAGES_DIR && resolve(settings.PAGES_DIR),
    },
    region: regionOf(settings),
    ...spamLimits(settings),
    s3: s3Of(settings),
    /** The time in which a stopping node still serves but reports that it is not ready, so that proxies notice. */
    drainMs: settings.DRAIN_SECONDS * 1000,
    /** True if members' pages are rendered on the server. Otherwise they are the app shell, which the browser renders. */
    ssr: settings.SSR,
    rateLimits: settings.RATE_LIMITS,
    demoData: settings.DEMO_DATA,
    logLevel: settings.LOG_LEVEL,
  } as const
}

function spamLimits(settings: z.output<typeof consistent>) {
  return {
    /** To how many strangers a member can write first in a day: unconfirmed, in the first week, and later. */
    firstContacts: settings.FIRST_CONTACTS,
    /** To how many strangers a member can send the same text in a day. */
    equalTexts: settings.EQUAL_TEXTS,
    /** From one network. */
    registrationsPerHour: settings.REGISTRATIONS_PER_HOUR,
  } as const
}

/** Countries whose road signs are in miles. */
const mileCountries: readonly string[] = ['US', 'GB', 'LR', 'MM']

/** Returns where the site is, with what its country has by default. */
function regionOf({
  COUNTRY: country,
  CURRENCY: currency = 'USD',
  DISTANCE_UNIT,
}: z.output<typeof consistent>) {
  return {
    country,
    currency,
    distanceUnit: DISTANCE_UNIT ?? (mileCountries.includes(country) ? 'mi' : 'km'),
  } as const
}

function s3Of(settings: z.output<typeof consistent>) {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint, S3_PATH_STYLE: pathStyle } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!bucket || !accessKeyId || !secretAccessKey) return undefined
  return { bucket, region, endpoint, pathStyle, credentials: { accessKeyId, secretAccessKey } }
}

/** Returns the settings of this process. Nothing else reads the environment. */
export function processConfig(): Config {
  // biome-ignore lint/style/noProcessEnv: this is the only reader of the environment.
  return readConfig(process.env)
}
