import { apiBase, snapshotDays } from '#contract/constants.ts'
import type { Snapshot } from '#contract/report-cases.ts'
import { keepPhotos, releasePhotos } from '#server/features/images/kept-photos.ts'
import { avatarFile, orderedPhotos, type PhotoRow } from '#server/features/images/paths.ts'
import { inBatches } from '#server/platform/db/database.ts'
import type { Db, Tx } from '#server/tables.ts'
import {
  deleteOldSnapshots,
  findListingForSnapshot,
  findMemberForSnapshot,
  findMessageForSnapshot,
  findThanksForSnapshot,
  listMessagesAround,
  type SnapshotMessageRow,
  updateSnapshot,
} from './snapshot-queries.ts'

/** The messages of a conversation that a snapshot has around the reported one, and of one with a reported member. */
const around = { before: 11, after: 10 }
const lastOnes = { before: 20, after: 0 }

interface Subject {
  readonly reporter_id: number | null
  readonly listing_id: number | null
  readonly user_id: number | null
  readonly message_id: number | null
  readonly thanks_id: number | null
}

/** Stores the reported thing as it is now with a report, and keeps the files of its photos. Stores nothing if it was deleted meanwhile. */
export async function storeSnapshot(tx: Tx, reportId: number, subject: Subject): Promise<void> {
  const found = await readSubject(tx, subject)
  if (!found) return
  const { title, text, photos, avatar, messages } = found
  const all = [...(photos ?? []), ...messages.flatMap((message) => message.photos ?? [])]
  await keepPhotos(tx, reportId, [...all.map(({ name }) => name), ...(avatar ? [avatar] : [])])
  await updateSnapshot(tx, reportId, {
    title,
    text,
    photos: [...srcsOf(photos), ...(avatar ? [`${apiBase}/images/${avatarFile(avatar, 'large')}`] : [])],
    messages: messages.map(toMessage),
  })
}

const forgottenPerBatch = 500

/** Deletes the snapshots of reports that were closed some time ago, and keeps the files of their photos no longer. */
export async function forgetOldSnapshots(db: Db): Promise<void> {
  await inBatches(db, forgottenPerBatch, async (tx) => {
    const reports = await deleteOldSnapshots(tx, snapshotDays, forgottenPerBatch)
    await releasePhotos(tx, reports)
    return reports.length
  })
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
  const messages =
    reporter_id === null
      ? []
      : await listMessagesAround(tx, [reporter_id, user_id], Number.MAX_SAFE_INTEGER, lastOnes)
  return { title: member.title, text: member.text, avatar: member.picture_name, messages }
}

function srcsOf(photos: PhotoRow[] | null | undefined): string[] {
  return orderedPhotos(photos ?? null).map(({ src }) => src)
}

function toMessage({ photos, ...message }: SnapshotMessageRow): Snapshot['messages'][number] {
  return { ...message, photos: srcsOf(photos) }
}
