import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reconnectMs } from '#contract/constants.ts'
import { loadWithRetry } from './load-with-retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a module that fails to load is loaded again after a pause, and is used once', async () => {
  const load = vi.fn(async () => 'module')
  load
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const use = vi.fn()
  loadWithRetry(load, use)
  await vi.advanceTimersByTimeAsync(reconnectMs.longest - 1)
  expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(load).toHaveBeenCalledTimes(2)
  expect(use).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(reconnectMs.longest)
  expect(use.mock.calls).toEqual([['module']])
  await vi.advanceTimersByTimeAsync(10 * reconnectMs.longest)
  expect(load).toHaveBeenCalledTimes(3)
})

test('a stopped load is neither repeated nor used', async () => {
  const failing = vi.fn(async () => {
    throw new TypeError('Failed to fetch')
  })
  const stopRetry = loadWithRetry(failing, vi.fn())
  await vi.advanceTimersByTimeAsync(0)
  stopRetry()
  await vi.advanceTimersByTimeAsync(2 * reconnectMs.longest)
  expect(failing).toHaveBeenCalledTimes(1)

  const use = vi.fn()
  loadWithRetry(async () => 'module', use)()
  await vi.advanceTimersByTimeAsync(0)
  expect(use).not.toHaveBeenCalled()
})
