import type { Listing } from '#contract/listings.ts'

/** What the lists keep in their address: nothing shows all. */
export interface MyListsSearch {
  show?: 'private' | 'public'
}

export function myListsSearch({ show }: Record<string, unknown>): MyListsSearch {
  return show === 'private' || show === 'public' ? { show } : {}
}

export function isShown({ is_public }: Listing, { show }: MyListsSearch): boolean {
  return show === undefined || is_public === (show === 'public')
}
