import { photoRows } from './paths.ts'

// Common table expressions of the statement that stores messages. It has the relations `drafts` (position, sender_id, image_ids), `sent`
// (those that are checked) and `stored` (the inserted messages).

/** Locks the unused photos of the drafts, and gives each to the first draft that has it. */
export const photoLocks = [
  `unused_photos as materialized (
    select id, owner_id from images
    where id = any (array(select unnest(image_ids) from drafts)) and purpose = 'photo' and listing_id is null and message_id is null
    order by id for update
  )`,
  `wanted_photos as materialized (
    select d.position, w.id, w.place - 1 as place,
      u.id is not null and row_number() over (partition by w.id, u.id order by d.position) = 1 as is_free
    from drafts d cross join lateral unnest(d.image_ids) with ordinality w (id, place)
    left join unused_photos u on u.id = w.id and u.owner_id = d.sender_id
  )`,
]

/** Refuses a draft with a photo that it does not get. */
export const photoVerdict = `when cardinality(d.image_ids) > 0
        and exists (select from wanted_photos w where w.position = d.position and not w.is_free) then 'no photo'`

/** Attaches the photos to the stored messages. */
export const photoUpdates = `attached_photos as (
    update images i set message_id = stored.id, position = w.place
    from wanted_photos w join sent on sent.position = w.position and sent.is_first
    join stored on stored.sender_id = sent.sender_id and stored.client_id = sent.client_id
    where i.id = w.id and i.id = any (array(select id from wanted_photos))
  )`

/** Selects the photos of a draft. */
export const sentPhotos = `case when cardinality(sent.image_ids) > 0 then ${photoRows(
  'w.position = sent.position',
  'wanted_photos w join images i on i.id = w.id',
  'w.place',
)} end`
