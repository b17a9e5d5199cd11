import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { takeBackup } from '#server/backup/backup.ts'
import { checkedSite } from '#server/checked-site.ts'
import { migrations } from '#server/migrations-folder.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import { createTranslators } from '#server/platform/i18n/translator.ts'
import { runSiteChecks } from '#server/site-check-command.ts'
import { startMailServer } from '#test/mail-server.ts'
import { newDatabase, newWorld } from '#test/world.ts'
import type { CheckedSite } from './check.ts'
import { checkSite } from './checks.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())
const world = stack.use(await newWorld())
const folder = await mkdtemp(join(tmpdir(), 'rhubarb-site-checks-'))
stack.defer(() => rm(folder, { recursive: true, force: true }))

const t = createTranslators({ country: 'US', currency: 'USD' })('en')
const fixture = (name: string) =>
  readFile(join(import.meta.dirname, `../../../test/fixtures/${name}.pem`), 'utf8')
const key = await fixture('push-key')
const valid = await fixture('push-cert')
const expired = await fixture('expired-cert')

/** Answers like the name servers of a domain with these TXT records. */
function nameServer(records: Readonly<Record<string, readonly string[]>>): CheckedSite['resolver'] {
  return {
    async resolveTxt(name) {
      const texts = records[name]
      if (texts) return texts.map((text) => [text])
      const isAbove = Object.keys(records).some((known) => known.endsWith(`.${name}`))
      throw Object.assign(new Error(`queryTxt ${name}`), { code: isAbove ? 'ENODATA' : 'ENOTFOUND' })
    },
  }
}

const noNameServer: CheckedSite['resolver'] = {
  async resolveTxt(name) {
    throw Object.assign(new Error(`queryTxt ECONNREFUSED ${name}`), { code: 'ECONNREFUSED' })
  },
}

const from = 'Garden <hello@mail.garden.test>'

/** Checks a site and returns the state and the sentences of each check. */
async function check(changes: Partial<CheckedSite>) {
  const site = {
    ...checkedSite(world.config, world.db, () => ({ ...world.config.site, logo: null, name: 'Rhubarb' })),
    resolver: noNameServer,
    ...changes,
  }
  const findings = await checkSite(site)
  return new Map<string, string>(
    findings.map(({ key, state, says, todo }) => [key, `${state}: ${says(t)}${todo ? ` ${todo(t)}` : ''}`]),
  )
}

async function startHttps(cert: string, status = 200) {
  const server = createServer({ key, cert }, (_request, response) => response.writeHead(status).end('{}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('the command prints a line for each check, and its exit code says whether there is an error', async () => {
  const config = {
    ...world.config,
    publicUrl: world.url,
    database: { ...world.config.database, url: world.databaseUrl },
    mail: { smtpUrl: undefined, from },
  }
  const { code, output } = await runSiteChecks(() => config, [])
  expect(code).toBe(0)
  expect(output).toMatch(/^ok {7}database {10}PostgreSQL \d+\.\d+ answers\.$/m)
  expect(output).toMatch(/^ok {7}migrations {8}All \d+ migrations are applied\.$/m)
  expect(output).toMatch(/^ok {7}site {14}http:\S+ answers\.$/m)
  expect(output).toMatch(/^ok {7}certificate {7}An address on this machine needs no certificate\.$/m)
  expect(output).toMatch(/^warning {2}mail {14}.* Set SMTP_URL\.$/m)
  expect(output).toMatch(/^\w+ +photo disk {8}.* GB are free on the disk of /m)
  expect(output).toMatch(/^warning {2}security contact {2}/m)

  const away = {
    ...config,
    database: { ...config.database, url: 'postgres://ann:secret@127.0.0.1:9/rhubarb' },
  }
  const failed = await runSiteChecks(() => away, [])
  expect(failed.code).toBe(1)
  expect(failed.output).toMatch(/^error {4}database {10}.*ECONNREFUSED.* correct DATABASE_URL/m)
  expect(failed.output).not.toContain('secret')
  expect(failed.output).not.toContain('migrations')
})

test('a word that is no option prints the usage', async () => {
  for (const word of ['--mail=nobody', '--dkim=a b', 'now']) {
    const { code, output } = await runSiteChecks(() => world.config, [word])
    expect(code).toBe(1)
    expect(output).toContain('npm run check-site -- [--mail=ADDRESS]')
  }
})

test('an empty database says only that migrations are not applied', async () => {
  const empty = await newDatabase('template0')
  stack.defer(() => empty.drop())
  const database = { ...world.config.database, url: empty.url }
  const { code, output } = await runSiteChecks(
    () => ({ ...world.config, database, publicUrl: world.url }),
    [],
  )
  expect(code).toBe(1)
  expect(output).toMatch(/^error {4}migrations {8}\d+ migrations are not applied\./m)
  expect(output).not.toMatch(/^\w+ +(backup|push keys) |could not be checked/m)
})

test('pending migrations are an error, those of a newer release a warning', async () => {
  const names = await listMigrations(migrations)
  const newest = names.at(-1) ?? ''
  await world.db.transaction().execute(async (tx) => {
    await sql`update kysely_migration set name = '9999_later' where name = ${newest}`.execute(tx)
    expect((await check({ db: tx })).get('migrations')).toMatch(/^error: 1 migration is not applied\. Start/)
    await sql`insert into kysely_migration values (${newest}, '2026-01-01')`.execute(tx)
    expect((await check({ db: tx })).get('migrations')).toMatch(/^warning: .*1 migration of a newer release/)
    await sql`delete from kysely_migration where name = '9999_later'`.execute(tx)
  })
})

test.each([
  [valid, 'localhost', /^ok: The certificate is valid for [\d,]+ more days\.$/],
  [valid, '127.0.0.1', /^error: Browsers do not trust the certificate: ERR_TLS_CERT_ALTNAME_INVALID\./],
  [expired, 'localhost', /^error: The certificate expired \d+ days ago\. Renew it/],
])('reads the certificate of the site (%#)', async (cert, host, expected) => {
  await using site = await startHttps(cert)
  const found = await check({ publicUrl: `https://${host}:${site.port}`, ca: valid })
  expect(found.get('site')).toMatch(/^ok/)
  expect(found.get('certificate')).toMatch(expected)
})

test('a certificate that nobody has signed is an error', async () => {
  await using site = await startHttps(valid)
  const found = await check({ publicUrl: `https://localhost:${site.port}` })
  expect(found.get('certificate')).toContain('error: Browsers do not trust the certificate: ')
})

test('a site that answers something else, is away or has no address says what to do', async () => {
  await using other = await startHttps(valid, 502)
  expect((await check({ publicUrl: `https://localhost:${other.port}` })).get('site')).toMatch(
    /^error: \S+ answers 502 instead of this site\. Let the proxy/,
  )
  const away = await check({ publicUrl: 'https://127.0.0.1:9' })
  expect(away.get('site')).toMatch(/^error: .* can not be reached from here: .*ECONNREFUSED/)
  expect(away.has('certificate')).toBe(false)
  expect((await check({ publicUrl: 'https://garden.invalid' })).get('site')).toMatch(
    /^warning: The host of https:\/\/garden\.invalid can not be looked up from here\. Without internet/,
  )
  expect((await check({ publicUrl: 'http://garden.invalid' })).get('certificate')).toMatch(
    /^warning: PUBLIC_URL begins with http/,
  )
})

test('sends a test mail only when asked, from the configured sender', async () => {
  const mail = { smtpUrl: world.mailServer.url, from }
  expect((await check({ mail })).get('mail')).toMatch(/^ok: .* accepts the login\.$/)
  expect(world.mails).toEqual([])
  const testMail = { to: 'ann@neighbors.test', t }
  expect((await check({ mail, testMail })).get('mail')).toMatch(/^ok: .* test mail to ann@neighbors\.test\.$/)
  expect(world.mails).toMatchObject([
    { to: ['ann@neighbors.test'], from: 'hello@mail.garden.test', subject: 'Test mail of Rhubarb' },
  ])
})

test('a mail server that refuses a receiver, or is away, is an error', async () => {
  world.mailServer.answer('gone@neighbors.test', { code: 550, text: 'No such mailbox' })
  const testMail = { to: 'gone@neighbors.test', t }
  const refused = await check({ mail: { smtpUrl: world.mailServer.url, from }, testMail })
  expect(refused.get('mail')).toMatch(/^error: .*No such mailbox.*SMTP_URL, SMTP_PASSWORD/)
  const away = await check({ mail: { smtpUrl: 'smtp://ann:secret@127.0.0.1:9', from } })
  expect(away.get('mail')).toMatch(/^error: The mail server does not take mails: .*ECONNREFUSED/)
  expect(away.get('mail')).not.toContain('secret')
})

test('says whether mails are encrypted on their way', async () => {
  const server = await startMailServer({ key, cert: valid })
  stack.defer(() => server.stop())
  // An address of this machine that is not recognized as one.
  const url = `${server.url.replace('127.0.0.1', '0.0.0.0')}?tls.rejectUnauthorized=false`
  const state = async (smtpUrl: string) => (await check({ mail: { smtpUrl, from } })).get('mail')
  expect(await state(`${url}&requireTLS=true`)).toMatch(/^ok/)
  expect(await state(url)).toMatch(/^warning: .*by STARTTLS.*\?requireTLS=true\.$/)
  expect(await state(`${url}&ignoreTLS=true`)).toMatch(/^warning: .*unencrypted/)
  const plain = `${world.mailServer.url.replace('127.0.0.1', '0.0.0.0')}?requireTLS=true`
  expect(await state(plain)).toMatch(/^error: .*STARTTLS/)
})

const mail = { smtpUrl: world.mailServer.url, from }
const domain = 'mail.garden.test'

test.each([
  [{}, 'spf', /^error: mail\.garden\.test has no SPF record/],
  [{ [domain]: ['other', 'v=spf1 mx -all'] }, 'spf', /^ok: .*“v=spf1 mx -all”/],
  [{ [domain]: ['v=spf1 mx +all'] }, 'spf', /^warning: .*every machine/],
  [{ [domain]: ['v=spf1 mx all'] }, 'spf', /^warning: .*every machine/],
  [{ [domain]: ['v=spf1 mx -all', 'v=spf1 -all'] }, 'spf', /^error: .*several/],
  [{}, 'dkim', /^warning: There is no DKIM key at _domainkey\.mail\.garden\.test\./],
  [{ [`s1._domainkey.${domain}`]: ['v=DKIM1; p=MIIB'] }, 'dkim', /^ok: There are DKIM keys below/],
  [{}, 'dmarc', /^warning: .*v=DMARC1; p=none.*_dmarc\.mail\.garden\.test/],
  [{ '_dmarc.garden.test': ['v=DMARC1; p=reject'] }, 'dmarc', /^ok: .*p=reject/],
])('reads the records of the sender’s domain: %o', async (records, name, expected) => {
  expect((await check({ mail, resolver: nameServer(records) })).get(name)).toMatch(expected)
})

test('a named DKIM key must exist and not be revoked', async () => {
  const records = { [`s1._domainkey.${domain}`]: ['v=DKIM1; p='], [`s2._domainkey.${domain}`]: ['p=MIIB'] }
  const state = async (dkimSelector: string) =>
    (await check({ mail, dkimSelector, resolver: nameServer(records) })).get('dkim')
  expect(await state('s1')).toMatch(/^warning/)
  expect(await state('s2')).toMatch(/^ok/)
  expect(await state('s3')).toMatch(/^warning/)
})

test('without a name server, or with the sender of the example, the domain’s checks say so', async () => {
  const without = await check({ mail })
  for (const name of ['spf', 'dkim', 'dmarc'])
    expect(without.get(name)).toMatch(/^warning: The records of .* can not be looked up.*Without internet/)
  const example = await check({ mail: { ...mail, from: 'Rhubarb <hello@rhubarb.example>' } })
  expect(example.get('spf')).toMatch(/^error: MAIL_FROM is the address of the example/)
})

test('the newest backup has an age on every node', async () => {
  expect((await check({})).get('backup')).toMatch(/^warning: This database has never been backed up/)
  await takeBackup({ url: world.databaseUrl, storage: undefined, folder: join(folder, 'first') })
  expect((await check({})).get('backup')).toBe('ok: The newest backup is 0 hours old.')
  const age = (days: number) =>
    world.db
      .updateTable('newest_backup')
      .set({ taken_at: new Date(Date.now() - days * 86_400_000).toISOString() })
      .execute()
  await age(3)
  expect((await check({})).get('backup')).toMatch(/^warning: The newest backup is 3 days old\./)
  await age(9)
  expect((await check({})).get('backup')).toMatch(/^error: The newest backup is 9 days old\./)
})

test('a damaged key of pushes is an error', async () => {
  expect((await check({})).get('push_keys')).toMatch(/^ok: The key of pushes will be made/)
  await world.db
    .insertInto('signing_keys')
    .values({ name: 'vapid', key: Buffer.alloc(3) })
    .execute()
  expect((await check({})).get('push_keys')).toMatch(/^error: The key of pushes is damaged/)
  await world.db.deleteFrom('signing_keys').where('name', '=', 'vapid').execute()
})

test('the contact of the example is a warning, one’s own is none', async () => {
  const site = () => ({ support_email: 'hello@garden.test', name: 'Rhubarb', logo: null })
  expect((await check({})).get('security_contact')).toMatch(/^warning: .* Set SUPPORT_EMAIL/)
  expect((await check({ site })).get('security_contact')).toBe(
    'ok: Flaws are reported to mailto:hello@garden.test.',
  )
})
