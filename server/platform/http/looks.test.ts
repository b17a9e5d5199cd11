import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { createLooks, type Looks, type LooksOptions } from './looks.ts'

/** An app of a few lines in place of what the build leaves: it draws by the path. */
const app = `
let drawing = 0
let site = ''
let rehearsed = 'at once'
export function setSite(told) { site = told.support_email }
export async function rehearse() {
  await new Promise((resolve) => setTimeout(resolve, 300))
  rehearsed = 'rehearsed'
}
export async function drawLook(path, member, answers) {
  drawing += 1
  if (path === '/broken') throw new Error('Nothing to draw')
  if (path === '/endless') for (;;) {}
  if (path === '/gone') process.exit(1)
  if (path === '/slow') await new Promise((resolve) => setTimeout(resolve, 250))
  const markup = [path, member, answers.length, site, drawing, rehearsed].join(' ')
  drawing -= 1
  return { markup, title: path }
}`

const folder = await mkdtemp(join(tmpdir(), 'looks-'))
const module = join(folder, 'look.mjs')
const all: Looks[] = []
const logged: string[] = []
const log = createLog(
  'warn',
  new Writable({
    write(line, _encoding, done) {
      logged.push(String(line))
      done()
    },
  }),
)
beforeAll(() => writeFile(module, app))
afterAll(async () => {
  await Promise.all(all.map((looks) => looks.stop()))
  await rm(folder, { recursive: true })
})

const { looks: outcomes } = createMetrics()
async function counted(outcome: string) {
  const { values } = await outcomes.get()
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
}

const wanted = (path: string, member = 7) => ({ path, member, answers: '[1,2]' })

/** One that is ready. Patient, unless it is told otherwise: this machine may be slow. */
async function newLooks(options: Partial<LooksOptions> = {}) {
  const looks = createLooks({
    module,
    site: { support_email: 'help', social_links: [] },
    log,
    outcomes,
    patienceMs: 10_000,
    restMs: 0,
    stuckMs: 10_000,
    ...options,
  })
  all.push(looks)
  await looks.begin()
  return looks
}

test('a look is drawn for its member, of the answers, one at a time', async () => {
  const looks = await newLooks()
  const members = [1, 2, 3, 4, 5, 6, 7, 8]
  const drawn = await Promise.all(members.map((member) => looks.draw(wanted('/listings', member))))
  expect(drawn.map((look) => look?.markup)).toEqual(
    members.map((member) => `/listings ${member} 2 help 1 rehearsed`),
  )
})

test('a page goes without when it is not drawn soon, and whoever comes next has theirs', async () => {
  const looks = await newLooks({ patienceMs: 100 })
  const [slow, behind] = await Promise.all([looks.draw(wanted('/slow')), looks.draw(wanted('/listings'))])
  expect([slow, behind]).toEqual([undefined, undefined])
  await expect.poll(() => looks.draw(wanted('/next', 9))).toMatchObject({ title: '/next' })
})

test('no more wait than can be served', async () => {
  const looks = await newLooks()
  const asked = Array.from({ length: 200 }, (_, member) => looks.draw(wanted('/listings', member)))
  const drawn = (await Promise.all(asked)).filter((look) => look !== undefined)
  expect(drawn.length).toBeGreaterThan(0)
  expect(drawn.length).toBeLessThan(50)
})

test('whose screens are heavy goes without, and leaves the others theirs', async () => {
  const looks = await newLooks()
  const busy = await counted('busy')
  const heavy = async () => {
    await looks.draw(wanted('/slow', 5))
    return counted('busy')
  }
  await expect.poll(heavy).toBeGreaterThan(busy)
  await expect.poll(() => looks.draw(wanted('/listings', 6))).toBeDefined()
})

test('each page is counted by what became of its look', async () => {
  const looks = await newLooks({ patienceMs: 100 })
  const before = await Promise.all(['drawn', 'failed', 'late'].map(counted))
  await looks.draw(wanted('/slow', 8))
  await expect.poll(() => looks.draw(wanted('/listings', 8))).toBeDefined()
  await expect
    .poll(async () => {
      await looks.draw(wanted('/broken', 8))
      return counted('failed')
    })
    .toBeGreaterThan(before[1] ?? 0)
  const after = await Promise.all(['drawn', 'failed', 'late'].map(counted))
  const more = after.map((count, place) => count - (before[place] ?? 0))
  expect(more[0]).toBe(1)
  expect(more[1]).toBe(1)
  expect(more[2]).toBeGreaterThan(0)
})

test.each(['/broken', '/gone', '/endless'])(
  '%s: the page goes without, and it is drawn again later',
  async (path) => {
    const looks = await newLooks({ stuckMs: 600 })
    expect(await looks.draw(wanted(path))).toBeUndefined()
    await expect.poll(() => looks.draw(wanted('/listings'))).toMatchObject({ title: '/listings' })
  },
)

test('after its end the thread rests', async () => {
  const looks = await newLooks({ restMs: 60_000 })
  const away = await counted('away')
  expect(await looks.draw(wanted('/gone'))).toBeUndefined()
  await expect.poll(() => logged.join()).toContain('has ended')
  expect(await looks.draw(wanted('/listings'))).toBeUndefined()
  expect(await counted('away')).toBe(away + 1)
})

test('where it is stopped nobody waits', async () => {
  const looks = await newLooks()
  const asked = [looks.draw(wanted('/slow')), looks.draw(wanted('/listings'))]
  await looks.stop()
  expect(await Promise.all(asked)).toEqual([undefined, undefined])
  expect(await looks.draw(wanted('/listings'))).toBeUndefined()
})
