import { expect, test } from 'vitest'
import type { Trade } from '#contract/trades.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { PickupRow } from './pickup-row.tsx'

const trade: Trade = {
  id: 9,
  kind: 'single',
  state: 'accepted',
  end_reason: null,
  requester_id: 2,
  note: null,
  legs: [],
  created_at: '2026-05-01T12:00:00.000Z',
  updated_at: '2026-05-01T12:00:00.000Z',
  expires_at: null,
  pickup: {
    starts_at: '2026-05-02T12:00:00.000Z',
    ends_at: '2026-05-02T13:00:00.000Z',
    proposed_by: 2,
    accepted: true,
  },
  allowed: [],
  requester: null,
  thanks: [],
}

/** Returns the baseline of an element's text: the bottom of an empty inline block behind it. */
function baselineOf(element: Element): number {
  const mark = document.createElement('span')
  mark.style.display = 'inline-block'
  element.append(mark)
  const { bottom } = mark.getBoundingClientRect()
  mark.remove()
  return bottom
}

test('the label of a pickup and its time stand on one baseline', async () => {
  const { screen } = await renderInApp(<PickupRow trade={trade} />)
  const label = screen.getByText('Pickup').element()
  const time = screen.getByText(/^Sat, May 2/).element()

  expect(baselineOf(label)).toBeCloseTo(baselineOf(time), 0)
})
