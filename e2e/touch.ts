import type { Locator, Page } from '@playwright/test'

interface Point {
  x: number
  y: number
}

/** The positions of each finger, one per moment. */
type Paths = readonly (readonly Point[])[]

const steps = 12

/** Touches the page with a finger for each path. Chromium turns the touches into gestures, as it does on a phone. */
async function touch(page: Page, paths: Paths, beforeMove?: () => Promise<void>) {
  const session = await page.context().newCDPSession(page)
  const fingersAt = (moment: number) =>
    paths.flatMap((path, id) => {
      const point = path[moment]
      return point === undefined ? [] : { ...point, id }
    })
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ReturnType<typeof fingersAt>) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', fingersAt(0))
  await beforeMove?.()
  for (let moment = 1; moment < (paths[0]?.length ?? 0); moment += 1) {
    await send('touchMove', fingersAt(moment))
    // A frame, because Chromium joins the moves of a frame.
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  await send('touchEnd', [])
  await session.detach()
}

function line(from: Point, to: Point): Point[] {
  return Array.from({ length: steps + 1 }, (_, step) => ({
    x: from.x + ((to.x - from.x) * step) / steps,
    y: from.y + ((to.y - from.y) * step) / steps,
  }))
}

async function centerOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Swipes over the element to the left by this many pixels. */
export async function swipeLeft(element: Locator, distance: number) {
  const { x, y } = await centerOf(element)
  await touch(element.page(), [line({ x: x + distance / 2, y }, { x: x - distance / 2, y })])
}

/** Spreads two fingers on the element. */
export async function spreadFingers(element: Locator) {
  const { x, y } = await centerOf(element)
  await touch(element.page(), [
    line({ x: x - 20, y }, { x: x - 120, y }),
    line({ x: x + 20, y }, { x: x + 120, y }),
  ])
}

/** Taps the element twice, this many pixels below its center. */
export async function doubleTap(element: Locator, below = 0) {
  const { x, y } = await centerOf(element)
  const session = await element.page().context().newCDPSession(element.page())
  const start = Date.now() / 1000
  // The events carry their times, because a busy machine may be slower than a double tap.
  for (const [seconds, type] of [
    [0, 'touchStart'],
    [0.05, 'touchEnd'],
    [0.1, 'touchStart'],
    [0.15, 'touchEnd'],
  ] as const)
    await session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? [{ x, y: y + below }] : [],
      timestamp: start + seconds,
    })
  await session.detach()
}

/** Presses an element until `isHeld` resolves, and drags it onto another with the finger. */
export async function touchDrag(element: Locator, target: Locator, isHeld: () => Promise<void>) {
  await touch(element.page(), [line(await centerOf(element), await centerOf(target))], isHeld)
}
