import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createQueue, createQueues } from './queue.ts'

const overloaded = { code: 'unavailable', status: 503, retryAfter: 10 }

/** Returns a task that starts when it is called and ends when the test ends it. */
function task(name: string, started: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    end: resolve,
    run: () => {
      started.push(name)
      return promise
    },
  }
}

test('runs as many tasks at a time as allowed, the others in their order, those of a higher priority first', async () => {
  const queue = createQueue({ concurrency: 2, maxWaiting: 10 })
  const started: string[] = []
  const tasks = ['a', 'b', 'c', 'd', 'urgent'].map((name) => task(name, started))
  const done = tasks.map(({ run }, index) => queue(run, { priority: index === 4 ? 1 : 0 }))
  expect(started).toEqual(['a', 'b'])

  for (const [index, { end }] of tasks.entries()) {
    end()
    if (index < 2) await done[index]
  }
  await Promise.all(done)
  expect(started).toEqual(['a', 'b', 'urgent', 'c', 'd'])
})

test('refuses a task at once if too many wait, and accepts one again when there is room', async () => {
  const queue = createQueue({ concurrency: 1, maxWaiting: 1 })
  const first = task('first', [])
  const running = queue(first.run)
  const waiting = queue(async () => 'waited')

  await expect(queue(async () => 'refused')).rejects.toMatchObject(overloaded)
  first.end()
  await running
  expect(await waiting).toBe('waited')
  expect(await queue(async () => 'accepted')).toBe('accepted')
})

test('refuses a task that has waited too long, and lets one run that has started', async () => {
  const queue = createQueue({ concurrency: 1, maxWaiting: 5, maxWaitMs: 20 })
  const started: string[] = []
  const slow = task('slow', started)
  const running = queue(slow.run)

  await expect(queue(task('waiting', started).run)).rejects.toMatchObject(overloaded)
  await sleep(30)
  slow.end()
  await expect(running).resolves.toBeUndefined()
  expect(started).toEqual(['slow'])
})

test('drops a task that is aborted while it waits, and not one that has started', async () => {
  const queue = createQueue({ concurrency: 1, maxWaiting: 1 })
  const started: string[] = []
  const controller = new AbortController()
  const slow = task('slow', started)
  const running = queue(slow.run, { signal: controller.signal })
  const waiting = queue(task('waiting', started).run, { signal: controller.signal })

  controller.abort(new Error('The client has left'))
  await expect(waiting).rejects.toThrow('The client has left')
  await expect(queue(task('late', started).run, { signal: controller.signal })).rejects.toThrow(
    'The client has left',
  )
  const next = queue(async () => 'took the free place')
  slow.end()
  await running
  expect(await next).toBe('took the free place')
  expect(started).toEqual(['slow'])
})

test('runs a task in the context of its own caller', async () => {
  const caller = new AsyncLocalStorage<string>()
  const queue = createQueue({ concurrency: 1, maxWaiting: 1 })
  const callerOf = (name: string) => caller.run(name, () => queue(async () => caller.getStore()))

  expect(await Promise.all([callerOf('ann'), callerOf('bob')])).toEqual(['ann', 'bob'])
})

test('limits the tasks of each key by themselves', async () => {
  const queues = createQueues<string>({ concurrency: 1, maxWaiting: 1 })
  const started: string[] = []
  const tasks = ['ann 1', 'ann 2', 'bob 1'].map((name) => task(name, started))
  const done = tasks.map(({ run }, index) => queues(index < 2 ? 'ann' : 'bob', run))
  await expect(queues('ann', async () => {})).rejects.toMatchObject(overloaded)
  expect(started).toEqual(['ann 1', 'bob 1'])

  for (const { end } of tasks) end()
  await Promise.all(done)
  await expect(queues('ann', async () => 'again')).resolves.toBe('again')
})
