import { sql } from 'kysely'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

export type Kind = Tables['notifications']['kind']

export interface NotificationRow {
  id: number
  kind: Kind
  created_at: string
  read_at: string | null
  from_id: number
  from_username: string
  from_picture_name: string | null
}

const select = `
  select n.id, n.kind, n.created_at, n.read_at, n.from_id, u.username as from_username, u.picture_name as from_picture_name`

/** What a notification is about: somebody is told of a kind of thing that another has done. */
export interface About {
  readonly user_id: number
  readonly from_id: number
  readonly kind: Kind
}

/** Takes the place of an older one about the same. */
export async function replaceNotification(tx: Db<Tables>, about: About): Promise<NotificationRow> {
  await deleteNotifications(tx, about)
  const { rows } = await sql<NotificationRow>`
    with n as (
      insert into notifications (user_id, from_id, kind)
      values (${about.user_id}, ${about.from_id}, ${about.kind}) returning *
    )
    ${sql.raw(select)} from n join users u on u.id = n.from_id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('A notification was not stored')
  return row
}

/** Without a kind: all that one was told of the other. */
export async function deleteNotifications(
  tx: Db<Tables>,
  { user_id, from_id, kind }: Omit<About, 'kind'> & { kind?: Kind },
): Promise<void> {
  let told = tx.deleteFrom('notifications').where('from_id', '=', from_id).where('user_id', '=', user_id)
  if (kind) told = told.where('kind', '=', kind)
  await told.execute()
}

export async function updateOneRead(tx: Db<Tables>, { user_id, from_id, kind }: About): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ read_at: new Date().toISOString() })
    .where('from_id', '=', from_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('read_at', 'is', null)
    .execute()
}

/** All that are unread, up to an id and of some kinds. Returns how many there were. */
export async function updateRead(
  db: Db<Tables>,
  user_id: number,
  { upTo, kinds }: { upTo: number; kinds: readonly Kind[] | undefined },
): Promise<number> {
  let unread = db
    .updateTable('notifications')
    .set({ read_at: new Date().toISOString() })
    .where('user_id', '=', user_id)
    .where('id', '<=', upTo)
    .where('read_at', 'is', null)
  if (kinds) unread = unread.where('kind', '=', (eb) => eb.fn.any(eb.val([...kinds])))
  const { numUpdatedRows } = await unread.executeTakeFirst()
  return Number(numUpdatedRows)
}

const newest = statement<[userId: number, before: number, limit: number], NotificationRow>(
  `${select} from notifications n join users u on u.id = n.from_id
   where n.user_id = $1 and n.id < $2 and u.suspended_at is null
   order by n.id desc limit $3`,
)

/** Newest first. Of a member who is suspended nobody hears. */
export async function listNotificationRows(
  db: Db<Tables>,
  userId: number,
  { before, limit }: { before: number; limit: number },
): Promise<NotificationRow[]> {
  return newest(db, userId, before, limit)
}

const unread = statement<[userId: number, most: number], { unread: number }>(
  `select count(*) as unread from (
     select 1 from notifications n join users u on u.id = n.from_id
     where n.user_id = $1 and n.read_at is null and u.suspended_at is null limit $2
   ) counted`,
)

/** Counts no further than to `most`. */
export async function countUnread(db: Db<Tables>, userId: number, most: number): Promise<number> {
  const [counted] = await unread(db, userId, most)
  return counted?.unread ?? 0
}

export async function deleteOldNotifications(db: Db<Tables>, before: string): Promise<void> {
  await db.deleteFrom('notifications').where('created_at', '<', before).execute()
}
