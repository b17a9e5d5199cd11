import { limits } from '#contract/constants.ts'

/** The query string of My friends: the tab and the searched name. */
export interface FriendsSearch {
  view?: 'invitations'
  q?: string
}

export function parseFriendsSearch({ view, q }: Record<string, unknown>): FriendsSearch {
  const words = typeof q === 'string' || typeof q === 'number' ? String(q).trim() : ''
  return {
    ...(view === 'invitations' && { view }),
    ...(words !== '' && { q: words.slice(0, limits.query.max) }),
  }
}
