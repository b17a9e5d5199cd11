import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { hourAt, nextLocalTime } from './local-time.ts'

test.each([
  ['UTC', '2026-05-01T06:59:59Z', 6, '2026-05-01T07:00:00.000Z'],
  ['UTC', '2026-05-01T07:00:00Z', 7, '2026-05-02T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-05-01T06:30:00Z', 23, '2026-05-01T14:00:00.000Z'],
  ['Asia/Kolkata', '2026-05-01T06:30:00Z', 12, '2026-05-02T01:30:00.000Z'],
  // Nights with changes to and from daylight saving time.
  ['America/New_York', '2026-03-08T04:00:00Z', 23, '2026-03-08T11:00:00.000Z'],
  ['America/New_York', '2026-11-01T03:00:00Z', 23, '2026-11-01T12:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-31T16:00:00Z', 6, '2026-12-31T17:00:00.000Z'],
])('in %s at %s the hour is %i and the next 07:00 is at %s', (zone, at, hour, seven) => {
  expect(hourAt(zone, new Date(at))).toBe(hour)
  expect(nextLocalTime(zone, 7, new Date(at)).toISOString()).toBe(seven)
})

test('limits the cache of formats for different spellings of a time zone', async () => {
  const created: WeakRef<Intl.DateTimeFormat>[] = []
  const { DateTimeFormat } = Intl
  onTestFinished(() => {
    Intl.DateTimeFormat = DateTimeFormat
  })
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, args) {
      const format = Reflect.construct(target, args)
      created.push(new WeakRef(format))
      return format
    },
  })
  const name = 'america/los_angeles'
  for (let nth = 0; nth < 2000; nth += 1) {
    const spelling = [...name].map((letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter)).join('')
    expect(hourAt(spelling, new Date('2026-05-01T06:30:00Z'))).toBe(23)
    // A WeakRef keeps its target alive until the current job ends.
    if (nth % 100 === 0) await new Promise(setImmediate)
  }
  await new Promise(setImmediate)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(created.length).toBeGreaterThan(1000)
  expect(created.filter((format) => format.deref() !== undefined).length).toBeLessThanOrEqual(500)
})
