import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

/** Friends are counted from both ends of a pair, each from an index alone. */
const friendCount = `(
  (select count(*) from friendships where low_id = u.id and status = 'accepted') +
  (select count(*) from friendships where high_id = u.id and status = 'accepted')
) as friend_count`

export interface ProfileRow {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string
  city: string | null
  state: string | null
  zip_code: string | null
  picture_name: string | null
  friend_count: number
}

const findProfileRow = statement<[number], ProfileRow>(
  `select u.id, u.username, u.first_name, u.last_name, u.email, u.city, u.state, u.zip_code, u.picture_name, ${friendCount}
   from users u where u.id = $1`,
)

export async function findProfile(db: Db<Tables>, userId: number): Promise<ProfileRow | undefined> {
  const [profile] = await findProfileRow(db, userId)
  return profile
}

export type PublicMemberRow = Omit<ProfileRow, 'first_name' | 'last_name' | 'email'>

const findPublicMemberRow = statement<[number], PublicMemberRow>(
  `select u.id, u.username, u.city, u.state, u.zip_code, u.picture_name, ${friendCount} from users u where u.id = $1`,
)

export async function findPublicMember(db: Db<Tables>, userId: number): Promise<PublicMemberRow | undefined> {
  const [member] = await findPublicMemberRow(db, userId)
  return member
}

/** The name of a member's photo; null when they have none. */
export async function findPictureName(db: Db<Tables>, userId: number): Promise<string | null> {
  const member = await db
    .selectFrom('users')
    .select('picture_name')
    .where('id', '=', userId)
    .executeTakeFirst()
  return member?.picture_name ?? null
}

type Place = { [Column in 'city' | 'state' | 'zip_code' | 'address' | 'apt']?: string | undefined }

/** Sets what is given, and returns the name of the photo that was there before. */
export async function updatePlaceAndPicture(
  db: Db<Tables>,
  userId: number,
  changes: Place & { picture_name?: string },
): Promise<string | null> {
  const before = await db
    .selectFrom('users')
    .select('picture_name')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (Object.keys(changes).length > 0) {
    await db.updateTable('users').set(changes).where('id', '=', userId).execute()
  }
  return before.picture_name
}
