import { limits } from '#contract/constants.ts'

/** Returns the number of interested members as text. The server counts up to the size of a page. */
export function interestedText(members: number): string {
  if (members === 1) return '1 gardener wants this'
  return members < limits.page.max ? `${members} gardeners want this` : `${members}+ gardeners want this`
}
