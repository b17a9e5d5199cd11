import { msg } from './message.ts'

/** The longest pause of a member. */
export const pauseDays = 7

export const pauseMessages = {
  days: msg('Please choose from 1 to {max} days', { max: pauseDays }),
} as const

/** Returns what a paused member reads who writes to a stranger or posts a listing. */
export function pausedText(until: string): string {
  return msg(
    'Until {until} you can read, answer and use the market, but not write to new neighbors or post listings.',
    { until },
  )
}
