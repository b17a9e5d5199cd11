import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://rhubarb:secret@db.example:5432/rhubarb',
  PUBLIC_URL: 'https://rhubarb.example/',
  SMTP_URL: 'smtp://mail.example:587',
}

function sentenceFor(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'nothing wrong'
}

test('nothing needs to be set to try Rhubarb', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    database: { url: undefined, pool: 10, statementTimeoutMs: 5000 },
    mail: { smtpUrl: undefined },
    s3: undefined,
    ssr: true,
    rateLimits: true,
    demoData: true,
  })
})

test('what is set to nothing is not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', S3_BUCKET: '' })).toEqual(readConfig({}))
})

describe('a wrong setting stops the start with a sentence that names it', () => {
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
    ['SOCIAL_LINKS', 'Instagram'],
    ['SOCIAL_LINKS', 'Instagram=javascript:alert(1)'],
    ['S3_ENDPOINT', 's3.example'],
    ['REDIS_URL', 'localhost:6379'],
    ['S3_PATH_STYLE', 'yes'],
    ['SSR', 'none'],
    ['RATE_LIMITS', 'false'],
    ['DEMO_DATA', 'no'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    const sentence = sentenceFor({ [name]: value })

    expect(sentence).toMatch(new RegExp(`^${name} must .{5,}$`))
    expect(sentence).not.toContain('\n')
  })

  test('several, a line for each', () => {
    const sentence = sentenceFor({ PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'x' })

    expect(
      sentence
        .split('\n')
        .map((line) => line.split(' ')[0])
        .sort(),
    ).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'PORT'])
  })
})

describe('in production', () => {
  test('all is well with a database, a public address and a mail server', () => {
    expect(readConfig(production)).toMatchObject({
      production: true,
      publicUrl: 'https://rhubarb.example',
      rateLimits: true,
    })
  })

  test.each(['DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL'])('%s is needed', (name) => {
    expect(sentenceFor({ ...production, [name]: '' })).toMatch(new RegExp(`^${name} is missing: .{10,}$`))
  })

  test('the limits on attempts can not be turned off', () => {
    expect(sentenceFor({ ...production, RATE_LIMITS: 'off' })).toBe(
      'RATE_LIMITS=off is for load tests and is refused in production',
    )
    expect(readConfig({ RATE_LIMITS: 'off' })).toMatchObject({ rateLimits: false })
  })
})

describe('images in S3', () => {
  const s3 = { S3_BUCKET: 'photos', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }

  test('need a bucket and both halves of the key', () => {
    expect(readConfig({ ...s3, S3_ENDPOINT: 'https://s3.example', S3_PATH_STYLE: 'on' }).s3).toEqual({
      bucket: 'photos',
      region: 'us-east-1',
      endpoint: 'https://s3.example',
      pathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    })
  })

  test.each(Object.keys(s3))('are refused without %s', (name) => {
    const sentence = sentenceFor({ ...s3, [name]: '' })

    for (const each of Object.keys(s3)) expect(sentence).toContain(each)
    expect(sentence).not.toContain('secret')
  })
})

test('the other settings are read as they are meant', () => {
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
