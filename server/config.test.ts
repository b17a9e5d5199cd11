import { describe, expect, test } from 'vitest'
import { OperatorError } from '#server/platform/errors.ts'
import { readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://rhubarb:secret@db.example:5432/rhubarb',
  PUBLIC_URL: 'https://rhubarb.example/',
  SMTP_URL: 'smtp://mail.example:587',
}

function errorFor(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return 'no error'
}

test('has defaults for all settings outside production', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    database: {
      url: undefined,
      directUrl: undefined,
      readUrl: undefined,
      pool: 10,
      statementTimeoutMs: 5000,
    },
    mail: { smtpUrl: undefined },
    s3: undefined,
    ssr: true,
    rateLimits: true,
    demoData: true,
  })
})

test('treats an empty setting as missing', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', S3_BUCKET: '' })).toEqual(readConfig({}))
})

test('an empty list of social links is none', () => {
  expect(readConfig({ SOCIAL_LINKS: '' }).site.social_links).toEqual([])
  expect(readConfig({}).site.social_links).toHaveLength(3)
})

test('a password of its own needs no encoding', () => {
  const password = 'a@b/c?d#e%41:f'
  const { database, mail } = readConfig({
    DATABASE_URL: 'postgres://garden@db.example:5432/rhubarb?sslmode=require',
    DATABASE_READ_URL: 'postgres://garden@replica.example:5432/rhubarb',
    DATABASE_PASSWORD: password,
    SMTP_URL: 'smtp://hello%40rhubarb.example@mail.example:587?requireTLS=true',
    SMTP_PASSWORD: password,
  })
  for (const text of [database.url, database.readUrl, mail.smtpUrl])
    expect(decodeURIComponent(new URL(text ?? '').password)).toBe(password)
  expect(database.url).toMatch(/^postgres:\/\/garden:.*@db\.example:5432\/rhubarb\?sslmode=require$/)
})

test.each([
  [{ DATABASE_PASSWORD: 'se@cret' }, 'DATABASE_PASSWORD needs DATABASE_URL, with a user name'],
  [
    { DATABASE_PASSWORD: 'se@cret', DATABASE_URL: 'postgres://db.example/rhubarb' },
    'DATABASE_URL must have a user name for DATABASE_PASSWORD',
  ],
  [
    { SMTP_PASSWORD: 'se@cret', SMTP_URL: 'smtp://hello:other@mail.example:587' },
    'SMTP_URL must have no password beside SMTP_PASSWORD',
  ],
])('a password that belongs to no URL is refused: %o', (settings, message) => {
  expect(errorFor(settings)).toBe(message)
})

describe('refuses an invalid setting with an error that names it', () => {
  test.each([
    ['NODE_ENV', 'live'],
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['METRICS_PORT', 'on'],
    ['METRICS_PORT', '99999'],
    ['PUBLIC_URL', 'rhubarb.example'],
    ['PUBLIC_URL', 'ftp://rhubarb.example'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://rhubarb.example/garden'],
    ['PUBLIC_URL', 'https://rhubarb.example/?page=1'],
    ['PUBLIC_URL', 'https://rhubarb.example/?'],
    ['PUBLIC_URL', 'https://rhubarb.example/#top'],
    ['PUBLIC_URL', 'https://ann@rhubarb.example'],
    ['TRUSTED_PROXIES', 'nonsense'],
    ['TRUSTED_PROXIES', '127.0.0.1,proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/0'],
    ['TRUSTED_PROXIES', '300.0.0.1'],
    ['MAIL_FROM', 'Rhubarb'],
    ['MAIL_FROM', 'Rhubarb <hello>'],
    ['MAIL_FROM', 'Rhubarb <hello@rhubarb>'],
    ['MAIL_FROM', 'a@rhubarb.example, b@rhubarb.example'],
    ['DATABASE_URL', 'mysql://db.example/rhubarb'],
    ['DATABASE_URL', 'db.example'],
    ['DATABASE_POOL', '0'],
    ['DATABASE_POOL', '501'],
    ['DATABASE_POOL', 'many'],
    ['STATEMENT_TIMEOUT_MS', '99'],
    ['STATEMENT_TIMEOUT_MS', '5s'],
    ['SMTP_URL', 'https://mail.example'],
    ['MAIL_FROM', 'x'],
    ['SUPPORT_EMAIL', 'help'],
    ['SECURITY_CONTACT', 'security@rhubarb.example'],
    ['SOCIAL_LINKS', 'Instagram'],
    ['SOCIAL_LINKS', 'Instagram=javascript:alert(1)'],
    ['PUSH_SERVICES', 'https://push.example'],
    ['S3_ENDPOINT', 's3.example'],
    ['REDIS_URL', 'localhost:6379'],
    ['S3_PATH_STYLE', 'yes'],
    ['SSR', 'none'],
    ['RATE_LIMITS', 'false'],
    ['DEMO_DATA', 'no'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    const message = errorFor({ [name]: value })

    expect(message).toMatch(new RegExp(`^${name} must .{5,}$`))
    expect(message).not.toContain('\n')
  })

  test.each(
    ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'SMTP_URL', 'REDIS_URL'].flatMap((name) =>
      ['se/cret', 'se?cret', 'se#cret', 'se@cret', '12/cret', '12?cret', '12#cret', 'se%cret', 'c@ret/x'].map(
        (password) => [name, password] as const,
      ),
    ),
  )('%s with the raw password %s, without a part of it', (name, password) => {
    const scheme = name === 'SMTP_URL' ? 'smtp' : name === 'REDIS_URL' ? 'redis' : 'postgres'
    const message = errorFor({
      DATABASE_URL: production.DATABASE_URL,
      [name]: `${scheme}://garden:${password}@db.example:5432/rhubarb`,
    })
    expect(message).toMatch(new RegExp(`^${name} must have %40 for @, .* in its user name and password$`))
    expect(message).not.toMatch(/cret|garden|example/)
  })

  test('accepts encoded passwords, networks and named senders', () => {
    const settings = {
      DATABASE_URL: 'postgres://garden:a%40b%2Fc%3Fd%23e%25@db.example:5432/rhubarb?sslmode=require',
      SMTP_URL: 'smtps://hello%40rhubarb.example:a%40b@mail.example:465',
      PUBLIC_URL: 'https://rhubarb.example:443/',
      TRUSTED_PROXIES: '127.0.0.1, ::1, 10.0.0.0/8, fd00::/8, loopback',
      MAIL_FROM: '"Rhubarb, Portland" <hello@rhubarb.example>',
    }
    expect(readConfig(settings)).toMatchObject({ publicUrl: 'https://rhubarb.example' })
    expect(readConfig({ MAIL_FROM: 'hello@rhubarb.example' }).mail.from).toBe('hello@rhubarb.example')
  })

  test('names several invalid settings, one line each', () => {
    const message = errorFor({ PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'x' })

    expect(
      message
        .split('\n')
        .map((line) => line.split(' ')[0])
        .sort(),
    ).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'PORT'])
  })
})

describe('in production', () => {
  test('a database, a public URL and a mail server are sufficient', () => {
    expect(readConfig(production)).toMatchObject({
      publicUrl: 'https://rhubarb.example',
      rateLimits: true,
    })
  })

  test.each(['DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL'])('%s is required', (name) => {
    expect(errorFor({ ...production, [name]: '' })).toMatch(new RegExp(`^${name} is missing: .{10,}$`))
  })

  test('a direct URL of the database needs one of the pooler', () => {
    const direct = { DATABASE_DIRECT_URL: production.DATABASE_URL }

    expect(readConfig({ ...production, ...direct }).database).toMatchObject({
      directUrl: production.DATABASE_URL,
    })
    expect(errorFor({ ...production, ...direct, DATABASE_URL: '' })).toMatch(/^DATABASE_URL is missing: .+$/)
    expect(errorFor({ ...production, DATABASE_DIRECT_URL: 'mysql://db.example/rhubarb' })).toMatch(
      /^DATABASE_DIRECT_URL must .+$/,
    )
  })

  test('the URL of a replica needs another one of the primary', () => {
    const replica = { DATABASE_READ_URL: 'postgres://rhubarb:secret@replica.example:5432/rhubarb' }

    expect(readConfig({ ...production, ...replica }).database).toMatchObject({
      readUrl: replica.DATABASE_READ_URL,
    })
    expect(errorFor({ ...replica, DATABASE_URL: '' })).toMatch(/^DATABASE_URL is missing: .+$/)
    for (const DATABASE_READ_URL of [production.DATABASE_URL, 'replica.example'])
      expect(errorFor({ ...production, DATABASE_READ_URL })).toMatch(/^DATABASE_READ_URL must .+$/)
  })

  test('rate limits can not be turned off', () => {
    expect(errorFor({ ...production, RATE_LIMITS: 'off' })).toBe(
      'RATE_LIMITS=off is for load tests and is refused in production',
    )
    expect(readConfig({ RATE_LIMITS: 'off' })).toMatchObject({ rateLimits: false })
  })
})

describe('images in S3', () => {
  const s3 = { S3_BUCKET: 'photos', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }

  test('are configured by bucket and credentials', () => {
    expect(readConfig({ ...s3, S3_ENDPOINT: 'https://s3.example', S3_PATH_STYLE: 'on' }).s3).toEqual({
      bucket: 'photos',
      region: 'us-east-1',
      endpoint: 'https://s3.example',
      pathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    })
  })

  test.each(Object.keys(s3))('are refused without %s', (name) => {
    const message = errorFor({ ...s3, [name]: '' })

    for (const each of Object.keys(s3)) expect(message).toContain(each)
    expect(message).not.toContain('secret')
  })
})

test('parses lists, links, ports and "off"', () => {
  expect(
    readConfig({
      PORT: '0',
      METRICS_PORT: 'off',
      TRUSTED_PROXIES: ' 10.0.0.1, 10.0.0.2 ,',
      SOCIAL_LINKS: 'Mastodon=https://social.example/@us?a=b, ',
      SUPPORT_EMAIL: 'help@rhubarb.example',
      PAGES_DIR: '/etc/rhubarb/pages',
    }),
  ).toMatchObject({
    port: 0,
    metrics: { port: 'off' },
    trustedProxies: ['10.0.0.1', '10.0.0.2'],
    site: {
      support_email: 'help@rhubarb.example',
      social_links: [{ name: 'Mastodon', url: 'https://social.example/@us?a=b' }],
      pages_dir: '/etc/rhubarb/pages',
    },
  })
})

test('the site is in the United States, with dollars and miles, unless the settings say otherwise', () => {
  expect(readConfig({}).region).toEqual({
    country: 'US',
    currency: 'USD',
    distanceUnit: 'mi',
  })
  expect(readConfig({ COUNTRY: 'DE', CURRENCY: 'EUR' }).region).toEqual({
    country: 'DE',
    currency: 'EUR',
    distanceUnit: 'km',
  })
  expect(readConfig({ COUNTRY: 'GB', CURRENCY: 'GBP', DISTANCE_UNIT: 'km' }).region).toMatchObject({
    distanceUnit: 'km',
  })
})

test.each([
  [{ COUNTRY: 'Germany' }, 'COUNTRY must be a country in two capital letters like US (ISO 3166)'],
  [{ COUNTRY: 'XQ' }, 'COUNTRY must be a country in two capital letters like US (ISO 3166)'],
  [{ COUNTRY: 'DE' }, 'CURRENCY is missing: a site of another country than US needs its currency, like EUR'],
  [{ CURRENCY: 'euro' }, 'CURRENCY must be a currency like USD (ISO 4217)'],
  [{ DISTANCE_UNIT: 'miles' }, 'DISTANCE_UNIT must be mi or km'],
])('refuses the settings %j of a place', (settings, message) => {
  expect(() => readConfig(settings)).toThrow(message)
})
