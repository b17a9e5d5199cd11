import { apiBase } from '#contract/constants.ts'
import type { Snapshot } from '#contract/report-cases.ts'
import { keepPhotos } from '#server/features/images/kept-photos.ts'
import { avatarFile, orderedPhotos, type PhotoRow } from '#server/features/images/paths.ts'
import type { Tx } from '#server/tables.ts'
import {
  findListingForSnapshot,
  findMemberForSnapshot,
  findMessageForSnapshot,
  findThanksForSnapshot,
  listMessagesAround,
  type SnapshotMessageRow,
} from './snapshot-queries.ts'

/** The messages of a conversation that a snapshot has around the reported one, and of one with a reported member. */
const around = { before: 11, after: 10 }
const lastOnes = { before: 20, after: 0 }

interface Subject {
  readonly reporter_id: number
  readonly listing_id: number | null
  readonly user_id: number | null
  readonly message_id: number | null
  readonly thanks_id: number | null
}

/** Returns the reported thing as it is now, and keeps the files of its photos. Null if it was deleted meanwhile. */
export async function takeSnapshot(tx: Tx, subject: Subject): Promise<Snapshot | null> {
  const found = await readSubject(tx, subject)
  if (!found) return null
  const { title, text, photos, avatar, messages } = found
  const all = [...(photos ?? []), ...messages.flatMap((message) => message.photos ?? [])]
  await keepPhotos(tx, [...all.map(({ name }) => name), ...(avatar ? [avatar] : [])])
  return {
    title,
    text,
    photos: [...srcsOf(photos), ...(avatar ? [`${apiBase}/images/${avatarFile(avatar, 'large')}`] : [])],
    messages: messages.map(toMessage),
  }
}

interface Found {
  readonly title: string | null
  readonly text: string | null
  readonly photos?: PhotoRow[] | null
  readonly avatar?: string | null
  readonly messages: readonly SnapshotMessageRow[]
}

async function readSubject(
  tx: Tx,
  { reporter_id, listing_id, user_id, message_id, thanks_id }: Subject,
): Promise<Found | undefined> {
  if (listing_id !== null) {
    const listing = await findListingForSnapshot(tx, listing_id)
    return listing && { ...listing, messages: [] }
  }
  if (message_id !== null) {
    const message = await findMessageForSnapshot(tx, message_id)
    if (!message) return undefined
    const pair = [message.sender_id, message.receiver_id] as const
    const messages = await listMessagesAround(tx, pair, message_id, around)
    return { title: null, text: message.content, messages }
  }
  if (thanks_id !== null) {
    const thanks = await findThanksForSnapshot(tx, thanks_id)
    return thanks && { ...thanks, messages: [] }
  }
  if (user_id === null) return undefined
  const member = await findMemberForSnapshot(tx, user_id)
  if (!member) return undefined
  const messages = await listMessagesAround(tx, [reporter_id, user_id], Number.MAX_SAFE_INTEGER, lastOnes)
  return { title: member.title, text: member.text, avatar: member.picture_name, messages }
}

function srcsOf(photos: PhotoRow[] | null | undefined): string[] {
  return orderedPhotos(photos ?? null).map(({ src }) => src)
}

function toMessage({ photos, ...message }: SnapshotMessageRow): Snapshot['messages'][number] {
  return { ...message, photos: srcsOf(photos) }
}
