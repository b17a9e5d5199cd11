import { setTimeout } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Locator } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/browser.mjs'
import { median } from '../sample.ts'
import { type Tap, taps } from './taps.ts'

/** The phone and the CPU slowdown of Lighthouse. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  hasTouch: true,
  isMobile: true,
} as const
const slowdown = 4
const timeoutMs = 20_000
/** The pause before and after a tap. */
const pauseMs = 300
const touchMs = 80

/** The browser does not report shorter events. */
export const shortestMs = 16

/** The phases of a tap in milliseconds: input delay, processing and presentation. */
interface Phases {
  readonly whole: number
  readonly delay: number
  readonly processing: number
  readonly presentation: number
}

/** The slowest event of a tap in the median visit. */
export interface TapTiming extends Phases {
  readonly screen: string
  readonly tap: string
  readonly lowest: number
  readonly highest: number
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

interface Screen {
  readonly name: string
  readonly path: string
}

/** The browser's timing of an input event. */
interface TimedEvent {
  readonly start: number
  readonly from: number
  readonly to: number
  readonly duration: number
}

declare global {
  interface Window {
    recordedEvents: TimedEvent[]
  }
}

/** Taps on each screen as the member of this stored login, in this number of visits. */
export async function measureTaps(
  url: string,
  login: string,
  screens: readonly Screen[],
  visits: number,
): Promise<TapTiming[]> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: browserArgs,
  })
  try {
    const timings: TapTiming[] = []
    for (const { name, path } of screens) {
      const steps = taps[name] ?? []
      const recorded: Phases[][] = []
      // The first visit is the warm-up.
      for (let visit = 0; visit <= visits && steps.length > 0; visit += 1) {
        const phases = await visitAndTap(browser, { url, login, path }, steps)
        if (visit > 0) recorded.push(phases)
      }
      timings.push(
        ...steps.map((step, place) =>
          summed(
            name,
            step,
            recorded.map((phases) => phases[place] ?? none),
          ),
        ),
      )
    }
    return timings
  } finally {
    await browser.close()
  }
}

async function visitAndTap(
  browser: Browser,
  { url, login, path }: { url: string; login: string; path: string },
  steps: readonly Tap[],
): Promise<Phases[]> {
  const context = await browser.newContext({
    ...phone,
    // The service worker would install the app during the measurement.
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'auth', value: login }] }] },
  })
  context.setDefaultTimeout(timeoutMs)
  await context.addCookies([{ name: 'login', value: JSON.parse(login).token, url }])
  try {
    const page = await context.newPage()
    const devTools = await context.newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(recordEvents)
    await page.goto(`${url}${path}`)
    await page.waitForLoadState('networkidle')
    const starts: number[] = []
    for (const { at, keys, shows } of steps) {
      const target = at(page)
      await target.tap({ trial: true })
      const box = await target.boundingBox()
      starts.push(await page.evaluate(() => performance.now()))
      // Locators use the CPU of the page, so none runs between the tap and the paint.
      await setTimeout(pauseMs)
      if (keys === undefined) await touch(devTools, box)
      else await page.keyboard.type(keys, { delay: touchMs })
      await setTimeout(pauseMs)
      await shows(page).waitFor()
      await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
    }
    return phasesOf(await page.evaluate(() => window.recordedEvents), starts)
  } finally {
    await context.close()
  }
}

function recordEvents() {
  const recorded: TimedEvent[] = []
  window.recordedEvents = recorded
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(entry instanceof PerformanceEventTiming) || entry.interactionId === 0) continue
      const { startTime: start, processingStart: from, processingEnd: to, duration } = entry
      recorded.push({ start, from, to, duration })
    }
  })
  observer.observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** The duration of a touch, in which the page may already prepare. */
async function touch(devTools: CDPSession, box: Box | null): Promise<void> {
  if (box === null) throw new Error('There is nothing to tap')
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await setTimeout(touchMs)
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

const none: Phases = { whole: 0, delay: 0, processing: 0, presentation: 0 }

/** Returns the slowest event of each tap. */
function phasesOf(recorded: readonly TimedEvent[], starts: readonly number[]): Phases[] {
  return starts.map((start, place) => {
    const own = recorded.filter(
      (event) => event.start >= start && event.start < (starts[place + 1] ?? Number.POSITIVE_INFINITY),
    )
    const slowest = own.toSorted((one, other) => other.duration - one.duration)[0]
    if (slowest === undefined) return none
    // Events with the same paint, such as pointerup and click, are one tap.
    const painted = slowest.start + slowest.duration
    const together = own.filter(
      (event) => Math.abs(event.start + event.duration - painted) <= 8 && event.to > slowest.start,
    )
    const from = Math.min(...together.map((event) => event.from))
    const to = Math.max(...together.map((event) => event.to))
    return {
      whole: slowest.duration,
      delay: Math.max(0, from - slowest.start),
      processing: to - from,
      presentation: Math.max(0, painted - to),
    }
  })
}

function summed(screen: string, { name: tap }: Tap, phases: readonly Phases[]): TapTiming {
  const sorted = phases.toSorted((one, other) => one.whole - other.whole)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? none
  return {
    screen,
    tap,
    ...middle,
    whole: median(phases.map(({ whole }) => whole)),
    lowest: sorted[0]?.whole ?? 0,
    highest: sorted.at(-1)?.whole ?? 0,
  }
}
