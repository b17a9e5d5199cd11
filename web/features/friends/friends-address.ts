import { limits } from '#contract/constants.ts'

/** What My friends keeps in its address: the friends, or who wants to be one; and whose names are looked for. */
export interface FriendsAddress {
  view?: 'invitations'
  q?: string
}

export function friendsAddress({ view, q }: Record<string, unknown>): FriendsAddress {
  const words = typeof q === 'string' || typeof q === 'number' ? String(q).trim() : ''
  return {
    ...(view === 'invitations' && { view }),
    ...(words !== '' && { q: words.slice(0, limits.query.max) }),
  }
}
