import { afterAll, describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { createWant, deleteWant, renameWant, searchWants, type WantResult } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'
import { reindexWants } from './jobs.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')

const { produce, seeds, plants } = categories
const addWant = (member: Actor, title: string, category_id: 1 | 2 | 3 | null = null) =>
  member.call(createWant, { body: { title, category_id } })

await addWant(bob, 'Heirloom tomatoes', produce)
await addWant(bob, 'Brandywine', seeds)
await addWant(bob, 'Jersey royal potatoes', produce)
await addWant(cat, 'Courgettes, the round kind', produce)
await addWant(cat, 'Sweet potato slips', plants)
await addWant(cat, 'Tomato cages')
await addWant(cat, 'A wheelbarrow')

async function search(query: CallInput<typeof searchWants>['query'], member = ann): Promise<string[]> {
  return (await member.call(searchWants, { query })).map(({ title }) => title)
}

describe('the search of wants', () => {
  test('lists wants of all categories or one, newest first, with their members', async () => {
    const all = await ann.call(searchWants, { query: {} })
    expect(all.map(({ title }) => title)).toEqual([
      'A wheelbarrow',
      'Tomato cages',
      'Sweet potato slips',
      'Courgettes, the round kind',
      'Jersey royal potatoes',
      'Brandywine',
      'Heirloom tomatoes',
    ])
    expect(all[0]).toEqual({
      id: expect.any(Number),
      title: 'A wheelbarrow',
      category_id: null,
      user: { id: cat.id, username: 'cat', profile_picture: null },
    })
    expect(await search({ category_id: seeds })).toEqual(['Brandywine'])
    expect(await search({ q: 'tomatoes', category_id: produce })).toEqual(['Heirloom tomatoes'])
  })

  test.each([
    ['a word in singular or plural', 'tomato', ['Tomato cages', 'Brandywine', 'Heirloom tomatoes']],
    ['a synonym', 'zucchini', ['Courgettes, the round kind']],
    ['a misspelled name', 'tomatos', ['Tomato cages', 'Brandywine', 'Heirloom tomatoes']],
    ['a name of several words', 'sweet potatoes', ['Sweet potato slips']],
    ['a word that is part of a name', 'potato', ['Sweet potato slips', 'Jersey royal potatoes']],
    ['several words of one want', 'round zucchini', ['Courgettes, the round kind']],
    ['several words, one of them in no want', 'square zucchini', []],
    ['an incomplete last word', 'wheelb', ['A wheelbarrow']],
    ['an incomplete last word after another', 'jersey roy', ['Jersey royal potatoes']],
    ['two letters of a word', 'wh', []],
    ['an incomplete word that is not the last', 'wheelb tomato', []],
    ['a word that is not in the lexicon', 'wheelbarrows', ['A wheelbarrow']],
    ['only stop words', 'it is', []],
    ['punctuation', '%%', []],
  ])('finds wants by %s', async (_, q, expected) => {
    expect(await search({ q })).toEqual(expected)
  })

  test('leaves out own wants and follows renamed and deleted ones', async () => {
    const own = await addWant(ann, 'Quinces')
    expect(await search({ q: 'quince' })).toEqual([])
    expect(await search({ q: 'quince' }, bob)).toEqual(['Quinces'])
    await ann.call(renameWant, { params: { id: own.id }, body: { title: 'Medlars' } })
    expect(await search({ q: 'quince' }, bob)).toEqual([])
    expect(await search({ q: 'medlar' }, bob)).toEqual(['Medlars'])
    await ann.call(deleteWant, { params: { id: own.id } })
    expect(await search({ q: 'medlar' }, bob)).toEqual([])
  })

  test('leaves out wants of suspended and blocked members', async () => {
    const [dan, eve, fay] = await world.members('dan', 'eve', 'fay')
    for (const member of [dan, eve, fay]) await addWant(member, 'Damsons')
    await world.suspend(dan)
    await ann.call(blockMember, { params: { id: eve.id } })
    await fay.call(blockMember, { params: { id: ann.id } })
    expect(await search({ q: 'damsons' })).toEqual([])
    expect(await search({})).not.toContain('Damsons')
    expect(await search({ q: 'damsons' }, bob)).toEqual(['Damsons', 'Damsons'])
    await ann.call(unblockMember, { params: { id: eve.id } })
    await fay.call(unblockMember, { params: { id: ann.id } })
    expect(await search({ q: 'damsons' })).toEqual(['Damsons', 'Damsons'])
  })

  test('finds few matches among many wants in pages', async () => {
    const gus = await world.member({ username: 'gus' })
    await world.db
      .insertInto('wants')
      .values(
        Array.from({ length: 400 }, (_, n) => ({
          user_id: gus.id,
          title: n % 150 === 0 ? 'Rare blue pears' : 'Pears',
        })),
      )
      .execute()
    await world.runJob(reindexWants)
    const pages = await ann.pages<WantResult>('/api/listings/want-listings/search?q=pear&limit=100')
    const rare = pages.flat().filter(({ title }) => title.startsWith('Rare'))
    expect([rare.length, pages.length]).toEqual([3, 4])

    const blocked = await ann.call(searchWants, { query: { q: 'blue pears', limit: 2 } })
    expect(blocked).toHaveLength(2)
  })

  test('refuses invalid query parameters', async () => {
    for (const query of ['q=a', `q=${'a'.repeat(101)}`, 'limit=0', 'limit=101', 'category_id=4', 'cursor=no'])
      expect((await ann.send('GET', `/api/listings/want-listings/search?${query}`)).status).toBe(422)
  })
})

test('one character of Chinese, Japanese or Korean is enough, and a title still has three', async () => {
  const [jun, mei] = await world.uniqueMembers('jun', 'mei')
  await jun.call(createWant, { body: { title: '水蜜桃' } })

  expect(await mei.call(searchWants, { query: { q: '桃' } })).toMatchObject([{ title: '水蜜桃' }])
  expect(await jun.try(createWant, { body: { title: '桃子' } })).toMatchObject({ status: 422 })
  expect(await mei.send('GET', '/api/listings/want-listings/search?q=a')).toMatchObject({ status: 422 })
})
