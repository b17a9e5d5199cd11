import { afterAll, describe, expect, test } from 'vitest'
import { categories, limits, states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { createWant, deleteWant, listWants, renameWant, saveWants, type Want } from '#contract/wants.ts'
import { reindexListings } from '#server/features/listings/indexing.ts'
import { type Actor, json } from '#test/actor.ts'
import { recordStatements } from '#test/statements.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const path = '/api/listings/want-listings'

type NewWant = CallInput<typeof createWant>['body']

let memberCount = 0
/** Registers a member with these wants. Each test has its own member because the number of wants is limited. */
async function newMember(...wants: NewWant[]) {
  memberCount += 1
  const member = await world.member({ username: `gardener_${memberCount}` })
  const saved: Want[] = []
  for (const body of wants) saved.push(await member.call(createWant, { body }))
  return { member, saved, ids: saved.map(({ id }) => id) }
}
const fig: NewWant = { title: 'Figs, any kind', category_id: categories.produce }
const crown: NewWant = { title: 'Rhubarb crown', category_id: categories.plants }
const produce = (count: number): NewWant[] =>
  Array.from({ length: count }, (_, index) => ({ title: `Crop ${index}`, category_id: categories.produce }))
const titles = async (member: Actor, owner: Actor = member) =>
  (await member.call(listWants, { query: { user_id: owner.id } })).map(({ title }) => title)
const suspend = (member: Actor, suspended_at: string | null = new Date().toISOString()) =>
  world.db.updateTable('users').set({ suspended_at }).where('id', '=', member.id).execute()

const notFound = { status: 404, body: { detail: 'Want not found' } }
const notYours = { status: 403, body: { detail: 'You do not have permission to change this want' } }
const full = { status: 409, body: { detail: 'You can want at most 5 items in a category' } }

describe('a want list', () => {
  test('lists wants with and without a category in the order they were added', async () => {
    const { member, saved } = await newMember(fig, { title: 'Old bricks' }, crown)

    expect(saved).toMatchObject([fig, { title: 'Old bricks', category_id: null }, crown])
    expect(await member.call(listWants, { query: {} })).toMatchObject(saved)
  })

  test('looks empty to the other member of a block', async () => {
    const [ann, bob] = [await newMember(fig), await newMember(crown)]
    await ann.member.call(blockMember, { params: { id: bob.member.id } })
    for (const [caller, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      expect(await titles(caller.member, other.member)).toEqual([])
      expect(await titles(caller.member)).toHaveLength(1)
    }
    await ann.member.call(unblockMember, { params: { id: bob.member.id } })
    expect(await titles(bob.member, ann.member)).toEqual([fig.title])
  })

  test('PATCH and PUT change only the title of a want', async () => {
    const { member, saved, ids } = await newMember(fig, crown)
    const params = { id: ids[0] ?? 0 }
    const patched = await member.call(renameWant, { params, body: { title: ' Black figs ' } })
    expect(patched).toMatchObject({ id: params.id, title: 'Black figs', category_id: categories.produce })
    const put = await member.send<Want>(
      'PUT',
      `${path}/${params.id}`,
      json({ title: 'Green figs', category_id: categories.seeds, user_id: 1 }),
    )
    expect(put).toMatchObject({ status: 200, body: { ...patched, title: 'Green figs' } })
    expect(await member.call(listWants, { query: {} })).toMatchObject([
      { ...saved[0], title: 'Green figs' },
      { ...saved[1] },
    ])
  })

  test('deletes a want once', async () => {
    const { member, ids } = await newMember(fig, crown)
    const params = { id: ids[0] ?? 0 }

    expect((await member.try(deleteWant, { params })).status).toBe(204)
    expect(await titles(member)).toEqual(['Rhubarb crown'])
    expect(await member.try(deleteWant, { params })).toMatchObject(notFound)
  })

  test('is visible to other members without the number of listings', async () => {
    const { member } = await newMember(fig, crown)
    const { member: other } = await newMember()
    const wants = await other.call(listWants, { query: { user_id: member.id } })

    expect(wants).toMatchObject([
      { ...fig, listing_count: null },
      { ...crown, listing_count: null },
    ])
    expect(await titles(other)).toEqual([])
  })

  test('is empty in the same way for suspended and unknown members and members without wants', async () => {
    const { member } = await newMember(fig)
    const { member: other } = await newMember()
    const listOf = (id: unknown) => other.send('GET', `${path}?user_id=${id}`)
    await suspend(member)
    const none = await listOf(other.id)
    expect(none).toMatchObject({ status: 200, body: [] })
    for (const id of [member.id, 987_654_321]) {
      const { status, headers, body } = await listOf(id)
      expect({ status, body, headers: [...headers.keys()] }).toEqual({
        status: 200,
        body: [],
        headers: [...none.headers.keys()],
      })
    }
    await suspend(member, null)
    expect(await titles(other, member)).toEqual([fig.title])
  })

  test.each(['0', '-1', 'ann', '9'.repeat(30)])('with an invalid member id is refused: %s', async (id) => {
    const { member } = await newMember()

    expect((await member.send('GET', `${path}?user_id=${id}`)).status).toBe(422)
  })
})

describe('an invalid want returns the message of the broken rule', async () => {
  const { member, ids } = await newMember(fig)
  const tooShort = 'Each item must have at least 3 characters'
  test.each<[title: unknown, message: string]>([
    [undefined, tooShort],
    ['', tooShort],
    [' ab ', tooShort],
    [7, tooShort],
    ['a'.repeat(81), 'Each item must have at most 80 characters'],
    ['fig\u0000s', 'Please remove characters that can not be shown'],
    ['figs\nplums', 'Please remove characters that can not be shown'],
  ])('%j: %s', async (title, message) => {
    const refused = { status: 422, body: { detail: message } }
    const wantPath = `${path}/${ids[0]}`
    expect(await member.send('POST', path, json({ title }))).toMatchObject(refused)
    expect(await member.send('PATCH', wantPath, json({ title }))).toMatchObject(refused)
    expect(await member.send('PUT', wantPath, json({ title }))).toMatchObject(refused)
    expect(await member.send('PATCH', path, json({ add: [{ title }] }))).toMatchObject(refused)
    expect(await member.send('PATCH', path, json({ rename: [{ id: ids[0], title }] }))).toMatchObject(refused)
    expect(await titles(member)).toEqual([fig.title])
  })

  test.each([0, 4, 'produce', true, {}])('a category of %j is uncategorized', async (category_id) => {
    const { member } = await newMember()
    const { status, body } = await member.send('POST', path, json({ title: 'Bricks', category_id }))

    expect({ status, body }).toMatchObject({ status: 201, body: { category_id: null } })
  })
})

describe('the limit of five wants in a category', () => {
  test('applies to each category and to every way of adding', async () => {
    const { member, ids } = await newMember(...produce(limits.want.perCategory))

    expect(await member.try(createWant, { body: fig })).toMatchObject(full)
    expect(await member.try(saveWants, { body: { add: [fig] } })).toMatchObject(full)
    expect((await member.try(createWant, { body: crown })).status).toBe(201)
    expect((await member.try(createWant, { body: { title: 'Old bricks' } })).status).toBe(201)
    const [id = 0] = ids
    expect((await member.try(renameWant, { params: { id }, body: { title: 'Crop X' } })).status).toBe(200)
    expect(await titles(member)).toHaveLength(7)
  })

  test('holds for concurrent requests', async () => {
    const { member } = await newMember(...produce(2))
    const responses = await Promise.all([
      ...produce(6).map((body) => member.try(createWant, { body })),
      ...[1, 2, 3].map((count) => member.try(saveWants, { body: { add: produce(count) } })),
    ])

    expect(new Set(responses.map(({ status }) => status).filter((status) => status >= 300))).toEqual(
      new Set([409]),
    )
    expect(await titles(member)).toHaveLength(limits.want.perCategory)
  })

  test('counts wants that the same request removes', async () => {
    const { member, ids } = await newMember(...produce(limits.want.perCategory))
    const saved = await member.call(saveWants, { body: { remove: ids.slice(0, 2), add: [fig] } })

    expect(saved.map(({ title }) => title)).toEqual(['Crop 2', 'Crop 3', 'Crop 4', fig.title])
  })
})

describe('several changes in one request', () => {
  test('are all saved and return the whole list', async () => {
    const { member, ids } = await newMember(fig, crown, { title: 'Old bricks' })
    const [first = 0, second = 0, third = 0] = ids
    const saved = await member.call(saveWants, {
      body: {
        add: [{ title: 'Blue poppy seed', category_id: categories.seeds }],
        rename: [
          { id: second, title: 'Rhubarb' },
          { id: third, title: 'Old slates' },
        ],
        remove: [first],
      },
    })

    expect(saved).toMatchObject([
      { ...crown, id: second, title: 'Rhubarb' },
      { id: third, title: 'Old slates', category_id: null },
      { title: 'Blue poppy seed', category_id: categories.seeds },
    ])
    expect(await member.call(listWants, { query: {} })).toEqual(saved)
  })

  test('do not match a want again whose title stays', async () => {
    const { member, saved } = await newMember(fig, crown)
    await world.jobsDone()
    using statements = recordStatements()
    const rename = saved.map(({ id, title }) => ({ id, title }))
    expect(await member.call(saveWants, { body: { rename } })).toEqual(saved)
    const [{ id, title } = { id: 0, title: '' }] = rename
    expect(await member.call(renameWant, { params: { id }, body: { title } })).toEqual(saved[0])
    expect(statements.sent().filter(({ text }) => text.includes('want_terms'))).toEqual([])
  })

  test('are saved all or not at all', async () => {
    const { member, ids } = await newMember(fig, crown)
    const { ids: theirs } = await newMember(fig)
    const [id = 0] = ids
    const changes = { rename: [{ id, title: 'Black figs' }], remove: ids.slice(1) }
    const [otherId = 0] = theirs

    expect(await member.try(saveWants, { body: { ...changes, add: produce(5) } })).toMatchObject(full)
    const cases: [invalid: CallInput<typeof saveWants>['body'], expected: object][] = [
      [{ remove: [...changes.remove, 987_654_321] }, notFound],
      [{ remove: [...changes.remove, otherId] }, notYours],
      [{ rename: [...changes.rename, { id: 987_654_321, title: 'Plums' }] }, notFound],
      [{ rename: [...changes.rename, { id: otherId, title: 'Plums' }] }, notYours],
    ]
    for (const [invalid, expected] of cases)
      expect(await member.try(saveWants, { body: { add: [crown], ...changes, ...invalid } })).toMatchObject(
        expected,
      )
    expect(await titles(member)).toEqual([fig.title, crown.title])
  })

  test('are refused if there are none', async () => {
    const { member } = await newMember()
    for (const body of [{}, { add: [], rename: [], remove: [] }])
      expect(await member.try(saveWants, { body })).toMatchObject({
        status: 422,
        body: { detail: 'Please add at least one item to your wish list' },
      })
  })

  test('apply the last title of a want, and a removal wins', async () => {
    const { member, ids } = await newMember(fig, crown)
    const [first = 0, second = 0] = ids
    const body = {
      rename: [
        { id: first, title: 'Black figs' },
        { id: first, title: 'Green figs' },
        { id: second, title: 'Rhubarb' },
      ],
      remove: [second, second],
    }

    expect(await member.call(saveWants, { body })).toMatchObject([{ id: first, title: 'Green figs' }])
  })
})

describe('the number of listings that match a want', async () => {
  const { member: seller } = await newMember()
  const { member: friend } = await newMember()
  const { member: owner } = await newMember()
  await world.befriend(owner, friend)
  const list = (title: string, listing: Partial<Listing> = {}, owner = seller) =>
    owner.call(createListing, { body: { title, type_id: types.giveaway, ...listing } })
  const countOf = async (member: Actor, title: string, category_id: NewWant['category_id'] = null) => {
    const { id, listing_count } = await member.call(createWant, { body: { title, category_id } })
    const [again] = (await member.call(listWants, { query: {} })).filter((want) => want.id === id)
    expect(again).toMatchObject({ listing_count })
    await member.call(deleteWant, { params: { id } })
    return listing_count
  }

  test('counts listings whose titles contain all its words in any form', async () => {
    await list('Clay sextants, two of them')
    await list('A sextant of clay')
    await list('Sextants')
    await list('Plums', { description: 'I would like clay sextants for them.' })

    expect(await countOf(owner, 'Clay sextant')).toBe(2)
    expect(await countOf(owner, 'sextants')).toBe(3)
    expect(await countOf(owner, 'the and of')).toBe(0)
    expect(await countOf(owner, 'Iron sextants')).toBe(0)
  })

  test('counts listings by any name of a crop', async () => {
    await list('Courgettes, young ones')

    expect(await countOf(owner, 'Courgette')).toBe(1)
    expect(await countOf(owner, 'calabacitas')).toBe(1)
  })

  test('counts listings of its category or of none, and of all if it has none', async () => {
    await list('Leek seedlings', { category_id: categories.plants })
    await list('Leek seed', { category_id: categories.seeds })
    await list('Leeks and more')

    expect(await countOf(owner, 'leeks', categories.plants)).toBe(2)
    expect(await countOf(owner, 'leeks')).toBe(3)
  })

  test('does not count own, invisible or gone listings', async () => {
    await list('Okra')
    await list('Okra by the bag', { state_id: states.reserved })
    await list('Okra, all of it', { state_id: states.gone })
    await list('Okra in the shed', { is_active: false })
    await list('Okra for friends', { is_public: false }, friend)
    await list('Okra of my own', {}, owner)
    const { id } = await list('Okra as well')
    const hidden_at = new Date().toISOString()
    await world.db.updateTable('listings').set({ hidden_at }).where('id', '=', id).execute()

    expect(await countOf(owner, 'okra')).toBe(3)
    expect(await countOf(seller, 'okra')).toBe(1)
    await suspend(seller)
    expect(await countOf(owner, 'okra')).toBe(1)
    await suspend(seller, null)
  })

  test('is at most a hundred and takes two statements for all wants', async () => {
    const row = { owner_id: seller.id, description: '', price: 0, is_active: true, is_public: true } as const
    const values = Array.from({ length: 101 }, (_, n) => ({
      ...{ ...row, title: `Leek number ${n}`, type_id: types.giveaway, state_id: states.available },
    }))
    await world.db.insertInto('listings').values(values).execute()
    await reindexListings(world.db)
    await owner.call(saveWants, { body: { add: [{ title: 'leeks' }, fig, crown, { title: 'okra' }] } })
    await world.jobsDone()
    using statements = recordStatements()
    const wants = await owner.call(listWants, { query: {} })
    const queries = statements.sent().filter(({ text }) => text.includes('wants') || text.includes('matches'))

    expect(queries).toHaveLength(2)
    expect(wants.find(({ title }) => title === 'leeks')).toMatchObject({ listing_count: 100 })
  })
})
