import { afterAll, describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { createWant, deleteWant, type FoundWant, renameWant, searchWants } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'
import { reindexWants } from './jobs.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, cat] = await world.members('ann', 'bob', 'cat')

const { produce, seeds, plants } = categories
const addWant = (who: Actor, title: string, category_id: 1 | 2 | 3 | null = null) =>
  who.call(createWant, { body: { title, category_id } })

await addWant(bob, 'Heirloom tomatoes', produce)
await addWant(bob, 'Brandywine', seeds)
await addWant(bob, 'Jersey royal potatoes', produce)
await addWant(cat, 'Courgettes, the round kind', produce)
await addWant(cat, 'Sweet potato slips', plants)
await addWant(cat, 'Tomato cages')
await addWant(cat, 'A wheelbarrow')

async function found(query: CallInput<typeof searchWants>['query'], by = ann): Promise<string[]> {
  return (await by.call(searchWants, { query })).map(({ title }) => title)
}

describe('what others want', () => {
  test('is found newest first, of all categories or of one, with who wants it', async () => {
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
    expect(await found({ category_id: seeds })).toEqual(['Brandywine'])
    expect(await found({ q: 'tomatoes', category_id: produce })).toEqual(['Heirloom tomatoes'])
  })

  test.each([
    ['a word, in the plural or not', 'tomato', ['Tomato cages', 'Brandywine', 'Heirloom tomatoes']],
    ['another name of the same', 'zucchini', ['Courgettes, the round kind']],
    ['a misspelt name', 'tomatos', ['Tomato cages', 'Brandywine', 'Heirloom tomatoes']],
    ['a name of several words, whole', 'sweet potatoes', ['Sweet potato slips']],
    ['a word that is part of a name', 'potato', ['Sweet potato slips', 'Jersey royal potatoes']],
    ['several words, all of them', 'round zucchini', ['Courgettes, the round kind']],
    ['several words, one of which no want has', 'square zucchini', []],
    ['a last word half typed', 'wheelb', ['A wheelbarrow']],
    ['a last word half typed, beside another', 'jersey roy', ['Jersey royal potatoes']],
    ['a last word hardly typed', 'wh', []],
    ['half a word that is not the last', 'wheelb tomato', []],
    ['what no lexicon knows', 'wheelbarrows', ['A wheelbarrow']],
    ['nothing but silent words', 'it is', []],
    ['signs', '%%', []],
  ])('%s', async (_, q, expected) => {
    expect(await found({ q })).toEqual(expected)
  })

  test("leaves out one's own, and follows what is renamed and deleted", async () => {
    const own = await addWant(ann, 'Quinces')
    expect(await found({ q: 'quince' })).toEqual([])
    expect(await found({ q: 'quince' }, bob)).toEqual(['Quinces'])
    await ann.call(renameWant, { params: { id: own.id }, body: { title: 'Medlars' } })
    expect(await found({ q: 'quince' }, bob)).toEqual([])
    expect(await found({ q: 'medlar' }, bob)).toEqual(['Medlars'])
    await ann.call(deleteWant, { params: { id: own.id } })
    expect(await found({ q: 'medlar' }, bob)).toEqual([])
  })

  test('leaves out who is suspended, and who is blocked, whichever side did it', async () => {
    const [dan, eve, fay] = await world.members('dan', 'eve', 'fay')
    for (const member of [dan, eve, fay]) await addWant(member, 'Damsons')
    await world.suspend(dan)
    await ann.call(blockMember, { params: { id: eve.id } })
    await fay.call(blockMember, { params: { id: ann.id } })
    expect(await found({ q: 'damsons' })).toEqual([])
    expect(await found({})).not.toContain('Damsons')
    expect(await found({ q: 'damsons' }, bob)).toEqual(['Damsons', 'Damsons'])
    await ann.call(unblockMember, { params: { id: eve.id } })
    await fay.call(unblockMember, { params: { id: ann.id } })
    expect(await found({ q: 'damsons' })).toEqual(['Damsons', 'Damsons'])
  })

  test('comes page by page, also where few of very many fit', async () => {
    const gus = await world.member({ username: 'gus' })
    await world.db
      .insertInto('wants')
      .values(
        Array.from({ length: 1200 }, (_, n) => ({
          user_id: gus.id,
          title: n % 400 === 0 ? 'Rare blue pears' : 'Pears',
        })),
      )
      .execute()
    await world.runJob(reindexWants)
    const pages = await ann.pages<FoundWant>('/api/listings/want-listings/search?q=pear&limit=100')
    const rare = pages.flat().filter(({ title }) => title.startsWith('Rare'))
    expect([rare.length, pages.length]).toEqual([3, 12])

    const blocked = await ann.call(searchWants, { query: { q: 'blue pears', limit: 2 } })
    expect(blocked).toHaveLength(2)
  })

  test('refuses what is no search', async () => {
    for (const query of ['q=a', `q=${'a'.repeat(101)}`, 'limit=0', 'limit=101', 'category_id=4', 'cursor=no'])
      expect((await ann.send('GET', `/api/listings/want-listings/search?${query}`)).status).toBe(422)
  })
})
