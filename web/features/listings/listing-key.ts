export const listingsKey = ['listings'] as const

export const listingKey = (id: string) => [...listingsKey, 'one', id] as const
