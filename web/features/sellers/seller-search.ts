/** What a seller's page keeps in its address: nothing shows what they have. */
export interface SellerSearch {
  tab?: 'want'
}

export function sellerSearch({ tab }: Record<string, unknown>): SellerSearch {
  return tab === 'want' ? { tab } : {}
}
