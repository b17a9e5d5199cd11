/** The query string of a seller's page. Empty shows the listings. */
export interface SellerSearch {
  tab?: 'want'
}

export function sellerSearch({ tab }: Record<string, unknown>): SellerSearch {
  return tab === 'want' ? { tab } : {}
}
