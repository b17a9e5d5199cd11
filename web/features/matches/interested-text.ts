import { plural } from '@lingui/core/macro'
import { limits } from '#contract/constants.ts'

/** Returns the number of interested members as text. The server counts up to the size of a page. */
export function interestedText(members: number): string {
  return members < limits.page.max
    ? plural(members, { one: '# gardener wants this', other: '# gardeners want this' })
    : plural(members, { one: '#+ gardener wants this', other: '#+ gardeners want this' })
}
