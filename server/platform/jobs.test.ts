import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { admin } from '#test/admin.ts'
import { newWorld, type World } from '#test/world.ts'

const ann = {
  first_name: 'Ann',
  last_name: 'Gardener',
  username: 'ann',
  email: 'ann@example.com',
  password: 'plum-crumble-42',
}

/** Registers Ann while the mail server refuses mails, until `refuseNext` changes. Resolves when the job waits for a retry. */
async function registerWithRefusedMail(world: World) {
  world.mailServer.refuseNext(Number.POSITIVE_INFINITY)
  await world.guest().call(register, { body: ann })
  await world.jobsDone()
  expect(await jobOf(world)).toMatchObject({ state: 'retry' })
}

async function jobOf(world: World) {
  const { rows } = await sql<{ state: string; tries: number; pause: number }>`
    select state::text, retry_count as tries, extract(epoch from start_after - started_on)::int as pause
    from jobs.job where name = 'send-welcome-mail'`.execute(world.db)
  return rows[0]
}

/** Sets the number of failed attempts and makes the next one. */
async function retryAfter(world: World, tries: number) {
  await sql`update jobs.job set retry_count = ${tries}
    where name = 'send-welcome-mail' and state = 'retry'`.execute(world.db)
  await world.retryJobs()
}

test('retries mails for hours and sends them once when the mail server is back', async () => {
  await using world = await newWorld()
  await registerWithRefusedMail(world)

  expect((await jobOf(world))?.pause).toBeOneOf([2, 3, 4])

  await retryAfter(world, 13)
  expect(await jobOf(world)).toMatchObject({ state: 'retry', tries: 14 })
  expect((await jobOf(world))?.pause).toBeGreaterThan(3500)
  world.mailServer.refuseNext(0)
  await retryAfter(world, 28)
  expect(await jobOf(world)).toMatchObject({ state: 'completed' })
  expect(world.mailTo(ann)).toHaveLength(1)
})

test('a job that always fails becomes a dead letter that the operator can list and retry', async () => {
  await using world = await newWorld()
  await registerWithRefusedMail(world)
  expect(await admin(world, 'jobs')).toEqual({ code: 0, output: 'No dead-letter jobs.\n' })

  await retryAfter(world, 29)
  expect(await jobOf(world)).toMatchObject({ state: 'failed' })
  expect(world.logged.filter((line) => line.includes('is a dead letter'))).toEqual([
    expect.stringContaining('"job":"send-welcome-mail"'),
  ])
  const { output } = await admin(world, 'jobs')
  expect(output).toContain('send-welcome-mail {"user_id":1}, tried 31 times')
  expect(output).toContain('Try again later')

  world.mailServer.refuseNext(0)
  const id = output.split(' ')[0] ?? ''
  expect(await admin(world, 'retry', id)).toEqual({ code: 0, output: '1 will be retried.\n' })
  await expect.poll(() => jobOf(world)).toMatchObject({ state: 'completed' })
  expect(world.mailTo(ann)).toHaveLength(1)
  expect(await admin(world, 'retry', 'all')).toEqual({ code: 0, output: '0 will be retried.\n' })
  expect(await admin(world, 'retry', 'nothing')).toMatchObject({ code: 1 })
})

test('adds repeated jobs again after a clock that was ahead', async () => {
  await using world = await newWorld()
  await sql`update jobs.version set cron_on = now() + interval '1 day'`.execute(world.db)
  await using _ = await world.node()

  const { rows } = await sql<{ is_ahead: boolean }>`
    select coalesce(cron_on > now(), false) as is_ahead from jobs.version`.execute(world.db)
  expect(rows).toEqual([{ is_ahead: false }])
})
