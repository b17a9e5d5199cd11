import { sql } from 'kysely'
import type { Db } from '#server/tables.ts'

/** Returns the members whose mailbox refused a mail for good, newest first. */
export function listRefusedMembers(db: Db, limit: number) {
  return db
    .selectFrom('users')
    .select(['email as address', 'username', 'email_refused_at as refused_at'])
    .where('email_refused_at', 'is not', null)
    .where('email', 'is not', null)
    .$narrowType<{ address: string; refused_at: string }>()
    .orderBy('email_refused_at', 'desc')
    .limit(limit)
    .execute()
}

export async function countRefusedInvitations(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('refused_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

const unconfirmed = (db: Db) =>
  db.selectFrom('users').where('email_confirmed_at', 'is', null).where('email', 'is not', null)

export async function countUnconfirmed(db: Db): Promise<number> {
  const { count } = await unconfirmed(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the newest members who have not confirmed their address. */
export function listUnconfirmed(db: Db, limit: number) {
  return unconfirmed(db)
    .select(['id', 'username', 'created_at as registered_at'])
    .select(
      sql<string | null>`(select max(created_at) from email_confirmations where user_id = users.id)`.as(
        'asked_at',
      ),
    )
    .select(sql<number>`(select count(*) from waiting_mails where user_id = users.id)`.as('waiting'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
