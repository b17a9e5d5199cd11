import type { Listing } from '#contract/listings.ts'

/** What the lists keep in their address: nothing shows all that one has. */
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
