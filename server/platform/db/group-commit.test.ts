import pg from 'pg'
import { expect, test } from 'vitest'
import { groupCommit } from './group-commit.ts'

/** Writes when it is told to, and remembers what came together. Items of one letter keep their order. */
function slowWriter() {
  const groups: { items: readonly string[]; done: () => void; failed: (error: unknown) => void }[] = []
  const store = groupCommit<string, string>({
    write: (items) =>
      new Promise((resolve, reject) => {
        groups.push({ items, done: () => resolve(items.map((item) => `${item} stored`)), failed: reject })
      }),
    order: ([letter = '']) => letter,
  })
  const begun = async (number: number) => {
    await expect.poll(() => groups.length, { interval: 1 }).toBe(number)
    return groups.map(({ items }) => items)
  }
  return { groups, store, begun }
}

const violated = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23514' })
const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

test('what comes in one moment is one group, and each hears of its own', async () => {
  const { groups, store, begun } = slowWriter()
  const stored = Promise.all(['a1', 'b1', 'a2'].map(store))
  expect(await begun(1)).toEqual([['a1', 'b1', 'a2']])
  groups[0]?.done()
  expect(await stored).toEqual(['a1 stored', 'b1 stored', 'a2 stored'])
})

test('two groups are in flight at most, and what is to stay in order never in both', async () => {
  const { groups, store, begun } = slowWriter()
  void store('a1')
  await begun(1)
  const late = [store('a2'), store('b1'), store('a3')]
  expect(await begun(2)).toEqual([['a1'], ['b1']])
  late.push(store('c1'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(groups).toHaveLength(2)

  groups[1]?.done()
  expect(await begun(3)).toEqual([['a1'], ['b1'], ['c1']])
  groups[2]?.done()
  groups[0]?.done()
  expect((await begun(4))[3]).toEqual(['a2', 'a3'])
  groups[3]?.done()
  expect(await Promise.all(late)).toEqual(['a2 stored', 'b1 stored', 'a3 stored', 'c1 stored'])
})

test('when something in a group is bad, each is written alone, in order', async () => {
  const { groups, store, begun } = slowWriter()
  const stored = Promise.allSettled(['a1', 'a2', 'a3'].map(store))
  await begun(1)
  groups[0]?.failed(violated)
  await begun(2)
  groups[1]?.done()
  await begun(3)
  groups[2]?.failed(violated)
  expect(await begun(4)).toEqual([['a1', 'a2', 'a3'], ['a1'], ['a2'], ['a3']])
  groups[3]?.done()
  expect(await stored).toMatchObject([{ value: 'a1 stored' }, { reason: violated }, { value: 'a3 stored' }])
})

test('when the database is away, all fail at once', async () => {
  const { groups, store, begun } = slowWriter()
  const stored = Promise.allSettled(['a1', 'b1'].map(store))
  await begun(1)
  groups[0]?.failed(away)
  expect(await stored).toMatchObject([{ reason: away }, { reason: away }])
  expect(groups).toHaveLength(1)
})

test('one that was given up to end a deadlock is tried once more', async () => {
  const { groups, store, begun } = slowWriter()
  const stored = store('a1')
  await begun(1)
  groups[0]?.failed(Object.assign(new pg.DatabaseError('deadlock', 2, 'error'), { code: '40P01' }))
  await begun(2)
  groups[1]?.done()
  expect(await stored).toBe('a1 stored')
})
