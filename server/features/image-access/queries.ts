import { isCurrent, isPublished, isVisibleTo } from '#server/features/visibility/listings.ts'
import { rowStatement } from '#server/platform/db/database.ts'

/** The members who may see an image: everybody, the caller of the query, the desk, those of the message that another member sent, or none of these. */
export type Audience = 'everybody' | 'caller' | 'desk' | 'message' | 'neither'

interface ImageRow {
  audience: Audience
  message_id: number | null
  /** Null if the member is deleted. */
  owner_id: number | null
}

/** Returns who may see an image. The caller is null for guests. Undefined if there is no such image. */
export const findAudience = rowStatement<[name: string, caller: number | null], ImageRow>(
  `select case
     when i.purpose in ('avatar', 'logo') then 'everybody'
     when l.id is not null then case
       when ${isPublished} and ${isCurrent} and (select suspended_at is null from users where id = l.owner_id) then 'everybody'
       when ${isVisibleTo('$2::bigint')} then 'caller' else 'desk' end
     when i.owner_id = $2::bigint then 'caller'
     when i.message_id is not null then 'message'
     else 'neither' end as audience, i.message_id, i.owner_id
   from images i left join listings l on l.id = i.listing_id where i.name = $1`,
)
