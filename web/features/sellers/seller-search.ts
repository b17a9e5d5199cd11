import { type InviteSearch, parseInviteSearch } from '#web/features/invitations/invite-search.ts'

/** The query string of a seller's page. Empty shows the listings. */
export interface SellerSearch extends InviteSearch {
  tab?: 'want' | 'thanks' | undefined
}

/** Reads the query string of a seller's page. Leaves out unknown values. */
export function parseSellerSearch({ tab, invite }: Record<string, unknown>): SellerSearch {
  return { tab: tab === 'want' || tab === 'thanks' ? tab : undefined, ...parseInviteSearch({ invite }) }
}
