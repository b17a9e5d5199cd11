import { limits } from '#contract/constants.ts'

/** More than a page's most are not counted. */
export function interestedText(members: number): string {
  if (members === 1) return '1 gardener wants this'
  return members < limits.page.max ? `${members} gardeners want this` : `${members}+ gardeners want this`
}
