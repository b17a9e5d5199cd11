import type { Message } from '#contract/messages.ts'
import { type ImageRow, orderedPhotos, photoPath } from '#server/features/images/paths.ts'
import type { MessageRow } from './queries.ts'

export type ListingOfMessage = Message['listing']

/** Returns the listing of a message, or null if there is none that the reader may see. */
export function listingOf(
  row: Pick<MessageRow, 'listing_id' | 'listing_title'> & ImageRow,
): ListingOfMessage {
  const { listing_id, listing_title } = row
  if (listing_id === null || listing_title === null) return null
  return { id: listing_id, title: listing_title, featured_image: photoPath(row) }
}

/** Returns the message as responses and events have it. */
export function toMessage(row: MessageRow): Message {
  const { id, sender_id, receiver_id, content, created_at, is_read, client_id, trade_id } = row
  return {
    id,
    sender_id,
    receiver_id,
    content,
    created_at,
    is_read,
    client_id,
    trade_id,
    listing: listingOf(row),
    images: orderedPhotos(row.photos),
  }
}
