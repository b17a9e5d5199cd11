import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { deleteProfile, updateProfile } from '#contract/profile.ts'
import { sendPasswordChangedMail } from '#server/features/auth/job-kinds.ts'
import { registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Registers a member while the mail server refuses mails, until `refuseNext` changes. Resolves when the job waits for a retry. */
async function registerWithRefusedMail(username: string) {
  world.mailServer.refuseNext(Number.POSITIVE_INFINITY)
  const member = await world.guest().call(register, { body: registrationOf({ username }) })
  await world.jobsDone()
  expect(await newestJob()).toMatchObject({ state: 'retry' })
  if ('message' in member) throw new Error(member.message)
  return member
}

async function newestJob() {
  const { rows } = await sql<{ state: string; tries: number; pause: number }>`
    select state::text, retry_count as tries, extract(epoch from start_after - started_on)::int as pause
    from jobs.job where name = 'send-welcome-mail' order by created_on desc limit 1`.execute(world.db)
  return rows[0]
}

/** Sets the number of failed attempts and makes the next one. */
async function retryAfter(tries: number) {
  await sql`update jobs.job set retry_count = ${tries}
    where name = 'send-welcome-mail' and state = 'retry'`.execute(world.db)
  await world.retryJobs()
}

test('retries mails for hours and sends them once when the mail server is back', async () => {
  const ann = await registerWithRefusedMail('ann')

  expect((await newestJob())?.pause).toBeOneOf([2, 3, 4])

  await retryAfter(13)
  expect(await newestJob()).toMatchObject({ state: 'retry', tries: 14 })
  expect((await newestJob())?.pause).toBeGreaterThan(3500)
  world.mailServer.refuseNext(0)
  await retryAfter(28)
  expect(await newestJob()).toMatchObject({ state: 'completed' })
  expect(world.mailTo(ann)).toHaveLength(1)
})

test('a job that always fails becomes a dead letter that the operator can list and retry', async () => {
  const bob = await registerWithRefusedMail('bob')
  expect(await admin(world, 'jobs')).toEqual({ code: 0, output: 'No dead-letter jobs.\n' })

  await retryAfter(29)
  expect(await newestJob()).toMatchObject({ state: 'failed' })
  expect(world.logged.filter((line) => line.includes('is a dead letter'))).toEqual([
    expect.stringContaining('"job":"send-welcome-mail"'),
  ])
  const { output } = await admin(world, 'jobs')
  expect(output).toContain(`send-welcome-mail {"user_id":${bob.id}}, tried 31 times`)
  expect(output).toContain('Try again later')

  world.mailServer.refuseNext(0)
  const id = output.split(' ')[0] ?? ''
  expect(await admin(world, 'retry', id)).toEqual({ code: 0, output: '1 will be retried.\n' })
  await expect.poll(newestJob).toMatchObject({ state: 'completed' })
  expect(world.mailTo(bob)).toHaveLength(1)
  expect(await admin(world, 'retry', 'all')).toEqual({ code: 0, output: '0 will be retried.\n' })
  expect(await admin(world, 'retry', 'nothing')).toMatchObject({ code: 1 })
})

/** Registers a member without a confirmed address, for whom the job of a mail stores that it waits. */
async function unconfirmed(username: string) {
  const member = await world.member({ username })
  await world.jobsDone()
  return member
}

const queueMail = (user_id: number) => world.addJob(sendPasswordChangedMail, { user_id })
const outcomesOf = async () => (await world.jobsOf(sendPasswordChangedMail.name)).at(-1)
const errors = () => world.logged.filter((line) => line.includes('"level":50'))

test('a job whose member leaves while it runs ends without an error', async () => {
  const cat = await unconfirmed('cat')
  const before = errors().length
  const leaving = new pg.Client({ connectionString: world.databaseUrl })
  await leaving.connect()
  await leaving.query('begin')
  await leaving.query('delete from users where id = $1', [cat.id])
  await queueMail(cat.id)
  // The job has read the member, and waits to store a row that refers to it.
  await expect.poll(() => world.waitingForLocks()).toBe(1)
  await leaving.query('commit')
  await leaving.end()
  await world.jobsDone()

  expect(await outcomesOf()).toEqual({ state: 'completed', retry_count: 0 })
  expect(errors().slice(before)).toEqual([])
})

test('logs a warning instead of an error for a job that the database can not run now', async () => {
  const dan = await unconfirmed('dan')
  const before = errors().length
  await sql`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'busy' using errcode = 'deadlock_detected'; end $$`.execute(world.db)
  await sql`create trigger fail before insert on waiting_mails execute function fail()`.execute(world.db)
  await queueMail(dan.id)
  await expect.poll(outcomesOf).toMatchObject({ state: 'retry' })
  await sql`drop function fail cascade`.execute(world.db)
  await world.retryJobs()

  expect(await outcomesOf()).toEqual({ state: 'completed', retry_count: 1 })
  expect(errors().slice(before)).toEqual([])
  expect(world.logged.filter((line) => line.includes('A job is retried'))).toHaveLength(1)
})

test('a deleted account leaves its jobs, except those with an address, and reads no other jobs', async () => {
  const eva = await unconfirmed('eva')
  await queueMail(eva.id)
  await eva.call(updateProfile, { body: { email: 'eva@elsewhere.example' } })
  await world.jobsDone()
  const locking = new pg.Client({ connectionString: world.databaseUrl })
  await locking.connect()
  await locking.query('begin')
  const { rows } = await locking.query<{ name: string }>(
    `select name from jobs.job where data @> $1 and name <> 'send-email-changed-mail' for update`,
    [{ user_id: eva.id }],
  )
  await eva.call(deleteProfile, { body: { password: eva.password } })
  await locking.query('commit')
  await locking.end()

  const { rows: left } = await sql<{ name: string }>`
    select name from jobs.job where data @> ${JSON.stringify({ user_id: eva.id })}::jsonb`.execute(world.db)
  expect(left.length).toBeGreaterThan(0)
  expect(left).toEqual(rows)
})

test('adds repeated jobs again after a clock that was ahead', async () => {
  await sql`update jobs.version set cron_on = now() + interval '1 day'`.execute(world.db)
  await using _ = await world.node()

  const { rows } = await sql<{ is_ahead: boolean }>`
    select coalesce(cron_on > now(), false) as is_ahead from jobs.version`.execute(world.db)
  expect(rows).toEqual([{ is_ahead: false }])
})
