import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { searchMembers } from '#contract/members.ts'
import { deleteProfile, updateProfile } from '#contract/profile.ts'
import { isReservedUsername } from '#contract/reserved-usernames.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { prepareDatabase } from '#server/start.ts'
import { type Actor, registrationOf } from '#test/actor.ts'
import { newDatabase, newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const taken = 'This username is already taken'

/** Registers somebody and returns the status, and the message if it is refused. */
async function tryToRegister(username: string, by = username) {
  const email = `${by}@elsewhere.example`
  const { status, body } = await world.guest().try(register, { body: registrationOf({ username, email }) })
  return status === 201 ? 201 : [status, body.detail]
}

async function rename(member: Actor, username: string) {
  const { status, body } = await member.try(updateProfile, { body: { username } })
  return status === 200 ? 200 : [status, body.detail]
}

const daysPass = (days: number) =>
  sql`update former_usernames set given_up_at = given_up_at - make_interval(days => ${days})`.execute(
    world.db,
  )

describe('a username is unique by its look', () => {
  test.each([
    [
      'hmx0mqnur3xy_1',
      ['hmxOmqnur3xy_l', 'hmxomqnur3xyi', 'HMX0MQNUR3XY_I', '_hmx0_mqnur3xy_1_', 'hmx0mqnur3xyL'],
    ],
    ['lily', ['1i1y', 'Li_ly', 'llly', 'iiiy']],
  ])('%s', async (username, imitations) => {
    expect(await tryToRegister(username)).toBe(201)
    const [bob] = await world.uniqueMembers('bob')
    for (const [index, imitation] of imitations.entries()) {
      expect([imitation, await tryToRegister(imitation, `imitator${index}`)]).toEqual([
        imitation,
        [409, taken],
      ])
      expect([imitation, await rename(bob, imitation)]).toEqual([imitation, [409, taken]])
    }
    expect(await tryToRegister(`${username}_2`)).toBe(201)
  })

  test('also in concurrent registrations and changes', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const operator = new pg.Client({ connectionString: world.databaseUrl })
    await operator.connect()
    // Registrations and changes wait before they write.
    await operator.query('begin; lock table users in share mode')
    const statuses = [
      ...['o0o_race', 'OOO_RACE', '000race'].map((username, index) =>
        tryToRegister(username, `racer${index}`),
      ),
      rename(ann, 'oo0_race'),
    ].map(async (result) => [await result].flat()[0])
    await expect.poll(() => world.waitingForLocks()).toBe(statuses.length)
    await operator.query('commit')
    await operator.end()
    expect((await Promise.all(statuses)).filter((status) => status !== 409)).toHaveLength(1)
  })

  test('a member can change case and underscores of the own one', async () => {
    const ann = await world.member({ username: 'tall_tree' })
    for (const username of ['Tall_Tree', 'talltree', 'ta11_tree', 'tall_tree'])
      expect(await rename(ann, username)).toBe(200)
  })

  test('members with equal looks from before keep their usernames after the migration', async () => {
    const database = await newDatabase('template0')
    const client = new pg.Client({ connectionString: database.url })
    try {
      await migrate(database.url, 'server/migrations', { upTo: '0016_listing_client_ids' })
      await client.connect()
      await client.query(`insert into users (username, email, password_hash, first_name, last_name)
        select name, name || '@example.com', 'none', name, name from unnest(array['co1in', 'colin']) name`)
      await prepareDatabase(database.url)
      const { rows } = await client.query('select username from users order by id')
      expect(rows).toEqual([{ username: 'co1in' }, { username: 'colin' }])
    } finally {
      await client.end()
      await database.drop()
    }
  })
})

describe('a username that is given up', () => {
  test('by a change leads to nobody, is free for others after 30 days, and can be taken back before', async () => {
    const [bob] = await world.uniqueMembers('bob')
    const ann = await world.member({ username: 'early_apple' })
    expect(await rename(ann, 'late_apple')).toBe(200)
    expect(await bob.call(searchMembers, { query: { q: 'early_apple' } })).toEqual([])

    await daysPass(29)
    expect(await tryToRegister('ear1y_apple')).toEqual([409, taken])
    expect(await rename(bob, 'early_apple')).toEqual([409, taken])
    expect(await rename(ann, 'early_apple')).toBe(200)
    expect(await rename(bob, 'late_apple')).toEqual([409, taken])

    await daysPass(30)
    expect(await rename(bob, 'late_apple')).toBe(200)
    expect(await rename(ann, 'late_apple')).toEqual([409, taken])
  })

  test('by a deletion of the account is free after 30 days', async () => {
    const ann = await world.member({ username: 'gone_girl' })
    await ann.call(deleteProfile, { body: { password: ann.password } })
    expect(await tryToRegister('gone_girl')).toEqual([409, taken])
    await daysPass(29)
    expect(await tryToRegister('G0neGirl')).toEqual([409, taken])
    await daysPass(1)
    expect(await tryToRegister('gone_girl')).toBe(201)
  })

  test('is deleted when it is free', async () => {
    const ann = await world.member({ username: 'short_name' })
    await rename(ann, 'longer_name')
    const count = async () =>
      (
        await world.db
          .selectFrom('former_usernames')
          .select('given_up_at')
          .where('user_id', '=', ann.id)
          .execute()
      ).length
    await world.runJob(jobKind('clean-up-usernames'))
    expect(await count()).toBe(1)
    await daysPass(30)
    await world.runJob(jobKind('clean-up-usernames'))
    expect(await count()).toBe(0)
  })

  test('is no way to reserve many: ten changes a day', async () => {
    await using limited = await newWorld({ rateLimits: true })
    const [ann] = await limited.members('ann')
    for (let change = 1; change <= 10; change += 1) expect(await rename(ann, `ann_${change + 1}`)).toBe(200)
    expect(await rename(ann, 'ann_again')).toEqual([
      429,
      'You can change your username at most 10 times a day. Please try again in 24 hours.',
    ])
    expect(await rename(ann, 'ann_11')).toBe(200)
  })
})

describe('a username that suggests the operator is reserved', () => {
  test.each([
    'rhubarb rhubarb_garden rhubarb_lover RhubarbGarden therhubarb myrhubarb rhubarb2 rhub4rb_x rhubarbHQ',
    'the_admin theadmin theAdmin TheRealAdmin therealadmin AdminAnn ann_admin ADMINann admin2024 ann4admin xXadminXx',
    '4dm1n theadm1n the4dmin adrnin a_d_m_i_n Ann4dm1n sysadmin superadmin',
    'Rhubarb_Support supportteam customersupport staff_ann staffmember official_ann officialrhubarb',
    'M0derator realmoderator headmoderator mod_ann themod Mod_1 mod_team webmaster no_reply operator_ann',
    'root ROOT sys_tem help_team the_team myteam security_team',
  ])('%s', (names) => {
    expect(names.split(' ').filter((name) => !isReservedUsername(name))).toEqual([])
  })

  test('but not one in which another word contains such a word', () => {
    const names = [
      'badminton Badminton7 b4dminton BadmintonBob iPadMini padmini saladmint salad_mint administer',
      'supporter supportive_sue flagstaff Falstaff staffordshire cooperator unofficially officialdom',
      'modern_ann Modern modus modi model modest_mo moderate_mo commodore rhubarella barb',
      'root_vegetable rootbeer teamwork steam_ann ecosystem helpful help_the_bees garden_team security_guard',
    ]
    expect(names.flatMap((some) => some.split(' ')).filter(isReservedUsername)).toEqual([])
  })
})
