import { limits } from '#contract/constants.ts'
import { deskMessages, reasonTooLong } from '#contract/desk.ts'

/** The rules of a reason, before the server has checked it. */
export const reasonRules = {
  required: deskMessages.reasonNeeded,
  maxLength: { value: limits.report.max, message: reasonTooLong },
}
