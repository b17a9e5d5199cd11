import { isListed, isNotGone, ofAlias } from '#server/features/visibility/listings.ts'

/** Holds for a listing `l` if its owner has an older equal one on offer, to at least the same members. */
export const isRepeated = `exists (select from listings other
  where other.owner_id = l.owner_id and lower(other.title) = lower(l.title) and other.type_id = l.type_id
    and other.category_id is not distinct from l.category_id and other.id < l.id
    and ${ofAlias('other', `${isListed} and ${isNotGone}`)} and (other.is_public or not l.is_public))`
