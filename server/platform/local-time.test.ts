import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hourAt, nextLocalTime } from './local-time.ts'

test.each([
  ['UTC', '2026-05-01T06:59:59Z', 6, '2026-05-01T07:00:00.000Z'],
  ['UTC', '2026-05-01T07:00:00Z', 7, '2026-05-02T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-05-01T06:30:00Z', 23, '2026-05-01T14:00:00.000Z'],
  ['Asia/Kolkata', '2026-05-01T06:30:00Z', 12, '2026-05-02T01:30:00.000Z'],
  // Nights with changes to and from daylight saving time.
  ['America/New_York', '2026-03-08T04:00:00Z', 23, '2026-03-08T11:00:00.000Z'],
  ['America/New_York', '2026-11-01T03:00:00Z', 23, '2026-11-01T12:00:00.000Z'],
  // A name that Intl knows and Temporal refuses, and one that neither knows.
  ['PST', '2026-05-01T06:30:00Z', 23, '2026-05-01T14:00:00.000Z'],
  ['Mars/Olympus', '2026-05-01T06:59:59Z', 6, '2026-05-01T07:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-31T16:00:00Z', 6, '2026-12-31T17:00:00.000Z'],
])('in %s at %s the hour is %i and the next 07:00 is at %s', (zone, at, hour, seven) => {
  expect(hourAt(zone, new Date(at))).toBe(hour)
  expect(nextLocalTime(zone, 7, new Date(at)).toISOString()).toBe(seven)
})

/** Prints how many formats are created for 2000 spellings of a time zone, and how many stay in memory. */
const countFormats = `
  const created = []
  Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
    construct(target, args) {
      const format = Reflect.construct(target, args)
      created.push(new WeakRef(format))
      return format
    },
  })
  const { hourAt } = await import(${JSON.stringify(import.meta.resolve('./local-time.ts'))})
  const hours = new Set()
  for (let nth = 0; nth < 2000; nth += 1) {
    const letters = [...'america/los_angeles']
    const spelling = letters.map((letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter)).join('')
    hours.add(hourAt(spelling, new Date('2026-05-01T06:30:00Z')))
    // A WeakRef keeps its target alive until the current job ends.
    if (nth % 100 === 0) await new Promise(setImmediate)
  }
  await new Promise(setImmediate)
  gc()
  const inMemory = created.filter((format) => format.deref() !== undefined).length
  console.log(JSON.stringify({ hours: [...hours], created: created.length, inMemory }))
`

test('keeps few formats in memory for different spellings of a time zone', async () => {
  // A new process, because the library reads Intl when it is loaded.
  const args = ['--expose-gc', '--input-type=module', '--eval', countFormats]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { hours, created, inMemory } = JSON.parse(stdout)
  expect(hours).toEqual([23])
  expect(created).toBeGreaterThan(0)
  expect(inMemory).toBeLessThanOrEqual(500)
})
