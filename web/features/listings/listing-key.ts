/** The keys of the queries of listings, for modules that load before the contract. */
export const listingsKey = ['listings'] as const

export const listingKey = (id: string) => [...listingsKey, 'one', id] as const
