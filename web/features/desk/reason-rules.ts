import { t } from '@lingui/core/macro'
import { limits } from '#contract/constants.ts'
import { deskMessages, reasonTooLong } from '#contract/desk.ts'
import { pauseDays, pauseMessages } from '#contract/pauses.ts'

/** The rules of a reason, before the server has checked it. */
export const reasonRules = {
  required: deskMessages.reasonNeeded,
  maxLength: { value: limits.report.max, message: reasonTooLong },
}

/** The rules of the days of a pause. */
export const pauseDaysRules = {
  required: pauseMessages.days,
  pattern: { value: new RegExp(`^\\s*[1-${pauseDays}]\\s*$`), message: pauseMessages.days },
}

/** Returns the rules of the days of a suspension. */
export function daysRules() {
  return {
    pattern: { value: /^\s*(?:[1-9]\d*)?\s*$/, message: t`Please write a whole number of days` },
  }
}
