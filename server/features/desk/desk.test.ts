import { once } from 'node:events'
import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { deskMessages, grantRole, listAuditLog, listDeskMembers, revokeRole } from '#contract/desk.ts'
import { admin } from '#test/admin.ts'
import { connectTo } from '#test/database.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('the shell makes the first operator, who makes others in the desk', async () => {
  const [olga, maud] = await world.members('olga', 'maud')
  expect(await olga.call(getProfile)).toMatchObject({ desk_role: null })
  expect((await olga.try(listAuditLog, { query: {} })).status).toBe(404)

  expect(await admin(world, 'grant', 'Olga', 'operator')).toMatchObject({ code: 0 })
  expect(await olga.call(getProfile)).toMatchObject({ desk_role: 'operator' })
  await olga.call(grantRole, { body: { username: 'maud', role: 'moderator' } })

  expect(await maud.call(listDeskMembers)).toMatchObject([
    { username: 'olga', role: 'operator' },
    { username: 'maud', role: 'moderator' },
  ])
  expect((await maud.try(grantRole, { body: { username: 'maud', role: 'operator' } })).status).toBe(404)
  expect(await maud.call(listAuditLog, { query: {} })).toMatchObject([
    { action: 'role_granted', actor: { username: 'olga' }, target_name: 'maud', reason: 'moderator' },
    { action: 'role_granted', actor: null, target_name: 'olga', reason: 'operator' },
  ])
})

test('the last operator keeps the role in the desk, but the shell may take it', async () => {
  const olga = { params: { id: 0 }, body: {} }
  const operator = await world.uniqueMembers('olga')
  await admin(world, 'revoke', 'olga')
  await admin(world, 'grant', operator[0].username, 'operator')
  olga.params.id = operator[0].id
  expect(await operator[0].try(revokeRole, olga)).toMatchObject({ status: 409 })
  const toModerator = { body: { username: operator[0].username, role: 'moderator' as const } }
  expect(await operator[0].try(grantRole, toModerator)).toMatchObject({ status: 409 })
  expect(await admin(world, 'revoke', operator[0].username)).toMatchObject({ code: 0 })
  expect((await operator[0].try(listDeskMembers)).status).toBe(404)
})

test('the last operator keeps the role also beside one who is suspended', async () => {
  await world.db.deleteFrom('desk_roles').execute()
  const [olga, otto] = await world.uniqueMembers('olga', 'otto')
  for (const { username } of [olga, otto]) await admin(world, 'grant', username, 'operator')
  await admin(world, 'suspend', otto.username)
  const self = { params: { id: olga.id }, body: {} }
  expect(await olga.try(revokeRole, self)).toMatchObject({
    status: 409,
    body: { detail: deskMessages.lastOperator },
  })
  await admin(world, 'restore', otto.username)
  expect((await olga.try(revokeRole, self)).status).toBe(204)
})

test('a role that is taken while the body of a call arrives does not serve it', async () => {
  const [olga, maud] = await world.uniqueMembers('olga', 'maud')
  await admin(world, 'grant', olga.username, 'operator')
  await admin(world, 'grant', maud.username, 'moderator')
  const body = JSON.stringify({ action: 'note', reason: 'Too late' })
  const call = request(new URL(`/api/desk/members/${olga.id}/actions`, world.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${maud.token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  const response = once(call, 'response')
  await using locked = await connectTo(world.databaseUrl)
  await locked.query('begin')
  await locked.query('lock table desk_roles in access exclusive mode')
  call.write(body.slice(0, 5))
  // The first look at the role waits, and then finds it.
  await expect.poll(() => world.waitingForLocks()).toBe(1)
  await locked.query('commit')
  await olga.call(revokeRole, { params: { id: maud.id }, body: {} })
  call.end(body.slice(5))
  const [{ statusCode }] = await response
  expect(statusCode).toBe(404)
  expect(await olga.call(listAuditLog, { query: { action: 'member_noted' } })).toEqual([])
})

test('an old session needs the password to change roles', async () => {
  const [olga, maud] = await world.uniqueMembers('olga', 'maud')
  await admin(world, 'grant', olga.username, 'operator')
  await sql`update sessions set created_at = now() - interval '1 day'`.execute(world.db)
  const body = { username: maud.username, role: 'moderator' as const }
  expect(await olga.try(grantRole, { body })).toMatchObject({
    status: 403,
    body: { errors: [{ field: 'current_password' }] },
  })
  expect((await olga.try(grantRole, { body: { ...body, current_password: olga.password } })).status).toBe(200)
})

test('nobody can change the audit log', async () => {
  for (const change of [
    sql`update audit_log set reason = ''`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
  ])
    await expect(change.execute(world.db)).rejects.toThrow(/audit_log/)
})
