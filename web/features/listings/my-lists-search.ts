import type { Listing } from '#contract/listings.ts'

/** The query string of My lists. Empty shows all listings. */
export interface MyListsSearch {
  tab?: 'want'
  show?: 'private' | 'public'
}

export function myListsSearch({ tab, show }: Record<string, unknown>): MyListsSearch {
  if (tab === 'want') return { tab }
  return show === 'private' || show === 'public' ? { show } : {}
}

export function isShown({ is_public }: Listing, { show }: MyListsSearch): boolean {
  return show === undefined || is_public === (show === 'public')
}
