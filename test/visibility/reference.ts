/** The facts that decide who may see a listing. */
export interface Facts {
  readonly members: readonly { readonly suspended: boolean; readonly deleted: boolean }[]
  /** Friendships of members, the lower one first. */
  readonly friends: ReadonlySet<string>
  /** Blocks, the blocker first. */
  readonly blocks: ReadonlySet<string>
}

export interface ListingFacts {
  readonly owner: number
  readonly active: boolean
  readonly public: boolean
  readonly hidden: boolean
  readonly expired: boolean
  readonly state: 'available' | 'reserved' | 'gone'
  readonly deleted: boolean
}

export const pair = (one: number, other: number) => `${one} ${other}`
export const areFriends = ({ friends }: Facts, one: number, other: number) =>
  friends.has(pair(Math.min(one, other), Math.max(one, other)))
export const areBlocked = ({ blocks }: Facts, one: number, other: number) =>
  blocks.has(pair(one, other)) || blocks.has(pair(other, one))

// The whole rule. All other expectations of the test follow from it.
export const isPublished = (listing: ListingFacts) =>
  listing.public && listing.active && !listing.hidden && !listing.deleted
export const isListed = (listing: ListingFacts) =>
  listing.active && !listing.hidden && !listing.expired && !listing.deleted
export const maySee = (facts: Facts, viewer: number, listing: ListingFacts) =>
  !listing.deleted &&
  (viewer === listing.owner ||
    (isListed(listing) &&
      !facts.members[listing.owner]?.suspended &&
      !areBlocked(facts, viewer, listing.owner) &&
      (listing.public || areFriends(facts, viewer, listing.owner))))
export const isUnseen = (facts: Facts, viewer: number, member: number) =>
  facts.members[member]?.suspended === true || areBlocked(facts, viewer, member)
export const isOfferedTo = (facts: Facts, viewer: number, listing: ListingFacts) =>
  viewer !== listing.owner && listing.state !== 'gone' && maySee(facts, viewer, listing)
export const isWithheld = (facts: Facts, viewer: number, listing: ListingFacts) =>
  viewer !== listing.owner && (listing.hidden || facts.members[listing.owner]?.suspended === true)
export const isOpenToGuests = (facts: Facts, listing: ListingFacts) =>
  isPublished(listing) && !listing.expired && !facts.members[listing.owner]?.suspended
