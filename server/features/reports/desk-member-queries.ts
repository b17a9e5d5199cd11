import { sql } from 'kysely'
import { escapeLike } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'

/** How many listings and reports the desk shows of a member. */
const shownRows = 20

/** Selects the members as the desk lists them. */
function selectDeskMembers(db: Db) {
  return db
    .selectFrom('users as u')
    .leftJoin('desk_roles as d', 'd.user_id', 'u.id')
    .select([
      'u.id',
      'u.username',
      'u.first_name',
      'u.last_name',
      'u.email',
      sql<boolean>`u.email_confirmed_at is not null`.as('email_confirmed'),
      'u.created_at',
      'u.suspended_at',
      'd.role as desk_role',
    ])
}

/** The text of a member that is searched. An index has it. */
const searched = sql<string>`lower(u.username || ' ' || u.first_name || ' ' || u.last_name || ' ' || coalesce(u.email, ''))`

/** Returns members whose name, username or e-mail contains each of the words, new ones first. */
export function listDeskMembers(db: Db, words: readonly string[], before: number, limit: number) {
  let members = selectDeskMembers(db).where('u.id', '<', before)
  for (const word of words) members = members.where(searched, 'like', `%${escapeLike(word.toLowerCase())}%`)
  return members.orderBy('u.id', 'desc').limit(limit).execute()
}

export function findDeskMember(db: Db, id: number) {
  return selectDeskMembers(db)
    .leftJoin('suspensions as s', 's.user_id', 'u.id')
    .leftJoin('pauses as p', (join) =>
      join.onRef('p.user_id', '=', 'u.id').on('p.ends_at', '>', sql<string>`now()`),
    )
    .select(['u.city', 'u.state', 'u.language', 'p.ends_at as paused_until'])
    .select(['s.rule', 's.reason', 's.ends_at', 's.appeal', 's.appeal_answer'])
    .select(
      sql<number>`(select count(*)::int from sessions where user_id = u.id and expires_at > now())`.as(
        'session_count',
      ),
    )
    .where('u.id', '=', id)
    .executeTakeFirst()
}

/** Returns the newest listings of a member, also hidden and ended ones. */
export function listListingsOf(db: Db, owner: number) {
  return db
    .selectFrom('listings')
    .select(['id', 'title', 'is_active', 'created_at', sql<boolean>`hidden_at is not null`.as('is_hidden')])
    .where('owner_id', '=', owner)
    .orderBy('id', 'desc')
    .limit(shownRows)
    .execute()
}

/** Returns the newest reports of a member and of what they have written. */
export function listCasesOf(db: Db, member: number) {
  return db
    .selectFrom('report_cases')
    .select(['id', 'subject_type', 'outcome', 'created_at'])
    .where('member_id', '=', member)
    .orderBy('id', 'desc')
    .limit(shownRows)
    .execute()
}

/** Returns the newest reports by a member, without those about another. */
export function listReportsBy(db: Db, reporter: number, without: number | null) {
  return db
    .selectFrom('reports as r')
    .select(['r.id', 'r.reason', 'r.created_at'])
    .where('r.reporter_id', '=', reporter)
    .where(
      sql<boolean>`not exists (select from report_cases c where c.id = r.case_id and c.member_id = ${without}::bigint)`,
    )
    .orderBy('r.id', 'desc')
    .limit(shownRows)
    .execute()
}
