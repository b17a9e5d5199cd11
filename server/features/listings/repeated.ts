import { states } from '#contract/constants.ts'

/** Holds for a listing `l` if its owner has an older equal one on offer, to at least the same members. */
export const isRepeated = `exists (select from listings other
  where other.owner_id = l.owner_id and lower(other.title) = lower(l.title) and other.type_id = l.type_id
    and other.category_id is not distinct from l.category_id and other.id < l.id and other.is_active
    and other.hidden_at is null and other.ended_at is null and other.expires_at > now()
    and other.state_id <> ${states.gone} and (other.is_public or not l.is_public))`
