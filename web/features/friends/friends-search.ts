import { readWords } from '#web/ui/search-words.ts'

/** The query string of My friends: the tab and the searched name. */
interface FriendsSearch {
  view?: 'invitations' | undefined
  q?: string | undefined
}

export function parseFriendsSearch({ view, q }: Record<string, unknown>): FriendsSearch {
  return { view: view === 'invitations' ? view : undefined, ...readWords({ q }, 1) }
}
