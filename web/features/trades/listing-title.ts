import { t } from '@lingui/core/macro'
/** Returns the title of a trade's listing, or words for one that the operator hides. */
export function titleOf({ title }: { readonly title: string | null }): string {
  return title ?? t`a hidden listing`
}
