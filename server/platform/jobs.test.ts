import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
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

test('adds repeated jobs again after a clock that was ahead', async () => {
  await sql`update jobs.version set cron_on = now() + interval '1 day'`.execute(world.db)
  await using _ = await world.node()

  const { rows } = await sql<{ is_ahead: boolean }>`
    select coalesce(cron_on > now(), false) as is_ahead from jobs.version`.execute(world.db)
  expect(rows).toEqual([{ is_ahead: false }])
})
