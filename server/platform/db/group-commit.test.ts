import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { expect, test } from 'vitest'
import { groupCommit } from './group-commit.ts'

/** Returns a group commit whose writes end when the test resolves them. Items with the same first letter keep their order. */
function controlledWriter() {
  const groups: { items: readonly string[]; done: () => void; failed: (error: unknown) => void }[] = []
  const store = groupCommit<string, string>({
    write: (items) =>
      new Promise((resolve, reject) => {
        groups.push({ items, done: () => resolve(items.map((item) => `${item} stored`)), failed: reject })
      }),
    order: ([letter = '']) => letter,
  })
  const started = async (number: number) => {
    await expect.poll(() => groups.length, { interval: 1 }).toBe(number)
    return groups.map(({ items }) => items)
  }
  return { groups, store, started }
}

const violated = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23514' })
/** The error of a standby that a failover has not promoted yet. */
const readOnly = Object.assign(new pg.DatabaseError('read-only', 2, 'error'), { code: '25006' })
const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

test('writes concurrent items as one group and resolves each to its own result', async () => {
  const { groups, store, started } = controlledWriter()
  const stored = Promise.all(['a1', 'b1', 'a2'].map(store))
  expect(await started(1)).toEqual([['a1', 'b1', 'a2']])
  groups[0]?.done()
  expect(await stored).toEqual(['a1 stored', 'b1 stored', 'a2 stored'])
})

test('writes at most two groups at a time, and items of one order key never in both', async () => {
  const { groups, store, started } = controlledWriter()
  void store('a1')
  await started(1)
  const stored = [store('a2'), store('b1'), store('a3')]
  expect(await started(2)).toEqual([['a1'], ['b1']])
  stored.push(store('c1'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(groups).toHaveLength(2)

  groups[1]?.done()
  expect(await started(3)).toEqual([['a1'], ['b1'], ['c1']])
  groups[2]?.done()
  groups[0]?.done()
  expect((await started(4))[3]).toEqual(['a2', 'a3'])
  groups[3]?.done()
  expect(await Promise.all(stored)).toEqual(['a2 stored', 'b1 stored', 'a3 stored', 'c1 stored'])
})

test('writes each item alone and in order after a group fails with a data error', async () => {
  const { groups, store, started } = controlledWriter()
  const stored = Promise.allSettled(['a1', 'a2', 'a3'].map(store))
  await started(1)
  groups[0]?.failed(violated)
  await started(2)
  groups[1]?.done()
  await started(3)
  groups[2]?.failed(violated)
  expect(await started(4)).toEqual([['a1', 'a2', 'a3'], ['a1'], ['a2'], ['a3']])
  groups[3]?.done()
  expect(await stored).toMatchObject([{ value: 'a1 stored' }, { reason: violated }, { value: 'a3 stored' }])
})

test.each([
  ['unreachable', unreachable],
  ['read-only', readOnly],
])('fails all items at once if the database is %s', async (_, error) => {
  const { groups, store, started } = controlledWriter()
  const stored = Promise.allSettled(['a1', 'b1'].map(store))
  await started(1)
  groups[0]?.failed(error)
  expect(await stored).toMatchObject([{ reason: error }, { reason: error }])
  expect(groups).toHaveLength(1)
})

test('retries a group once after a deadlock', async () => {
  const { groups, store, started } = controlledWriter()
  const stored = store('a1')
  await started(1)
  groups[0]?.failed(Object.assign(new pg.DatabaseError('deadlock', 2, 'error'), { code: '40P01' }))
  await started(2)
  groups[1]?.done()
  expect(await stored).toBe('a1 stored')
})

test('writes every group outside the context of the callers whose items it has', async () => {
  const caller = new AsyncLocalStorage<string>()
  const contexts: (string | undefined)[] = []
  const store = groupCommit<string, string>({
    async write(items) {
      contexts.push(caller.getStore())
      if (items.length > 1) throw violated
      return items
    },
    order: ([letter = '']) => letter,
  })
  const storedFor = (name: string, item: string) => caller.run(name, () => store(item))
  // The second group begins when the first one ends. It fails, so each of its items is written alone.
  await Promise.all([storedFor('ann', 'a1'), storedFor('ann', 'a2'), storedFor('bob', 'b1')])
  await storedFor('cem', 'c1')

  expect(contexts.length).toBeGreaterThan(3)
  expect(new Set(contexts)).toEqual(new Set([undefined]))
})

test('refuses an item if 2000 others wait, and writes those', async () => {
  const { groups, store, started } = controlledWriter()
  const stored = Array.from({ length: 2 }, (_, index) => store(`${index}`))
  await started(1)
  stored.push(...Array.from({ length: 2000 }, (_, index) => store(`w${index}`)))

  await expect(store('x')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 10 })
  for (let group = 0; group < 11; group += 1) {
    await started(group + 1)
    groups[group]?.done()
  }
  await Promise.all(stored)
  expect(groups.flatMap(({ items }) => items)).toHaveLength(2002)
})
