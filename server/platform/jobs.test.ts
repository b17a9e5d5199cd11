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
  await expect.poll(() => jobOf(world), { timeout: 20_000 }).toMatchObject({ state: 'retry' })
}

async function jobOf(world: World) {
  const { rows } = await sql<{ state: string; tries: number; pause: number }>`
    select state::text, retry_count as tries, extract(epoch from start_after - started_on)::int as pause
    from jobs.job where name = 'send-welcome-mail'`.execute(world.db)
  return rows[0]
}

/** Sets the number of failed attempts and makes the next one due. */
async function setFailedAttempts(world: World, tries: number) {
  await sql`update jobs.job set retry_count = ${tries}, start_after = now()
    where name = 'send-welcome-mail' and state = 'retry'`.execute(world.db)
}

const pollOptions = { timeout: 20_000 }

test('retries mails for hours and sends them once when the mail server is back', async () => {
  await using world = await newWorld()
  await registerWithRefusedMail(world)

  await setFailedAttempts(world, 13)
  await expect.poll(() => jobOf(world), pollOptions).toMatchObject({ state: 'retry', tries: 14 })
  expect((await jobOf(world))?.pause).toBeGreaterThan(3500)
  world.mailServer.refuseNext(0)
  await setFailedAttempts(world, 28)
  await expect.poll(() => jobOf(world), pollOptions).toMatchObject({ state: 'completed' })
  expect(world.mailTo(ann)).toHaveLength(1)
})

test('a job that always fails becomes a dead letter that the operator can list and retry', async () => {
  await using world = await newWorld()
  await registerWithRefusedMail(world)
  expect(await admin(world, 'jobs')).toEqual({ code: 0, output: 'No dead-letter jobs.\n' })

  await setFailedAttempts(world, 29)
  await expect.poll(() => jobOf(world), pollOptions).toMatchObject({ state: 'failed' })
  expect(world.logged.filter((line) => line.includes('is a dead letter'))).toEqual([
    expect.stringContaining('"job":"send-welcome-mail"'),
  ])
  const { output } = await admin(world, 'jobs')
  expect(output).toContain('send-welcome-mail {"user_id":1}, tried 31 times')
  expect(output).toContain('Try again later')

  world.mailServer.refuseNext(0)
  const id = output.split(' ')[0] ?? ''
  expect(await admin(world, 'retry', id)).toEqual({ code: 0, output: '1 will be retried.\n' })
  await expect.poll(() => jobOf(world), pollOptions).toMatchObject({ state: 'completed' })
  expect(world.mailTo(ann)).toHaveLength(1)
  expect(await admin(world, 'retry', 'all')).toEqual({ code: 0, output: '0 will be retried.\n' })
  expect(await admin(world, 'retry', 'nothing')).toMatchObject({ code: 1 })
})
