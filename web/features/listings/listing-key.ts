/** The keys of the queries of listings, for modules that load before the contract. */
export const listingsKey = ['listings'] as const

export const oneListingKey = [...listingsKey, 'one'] as const

export const listingKey = (id: string) => [...oneListingKey, id] as const
