import type { DeskMemberDetails, DeskMemberRow } from '#contract/desk-members.ts'
import { memberMessages } from '#contract/members.ts'
import { pageOfAuditLog } from '#server/features/desk/audit.ts'
import { areWithdrawn } from '#server/features/messages/withdrawal.ts'
import { AppError } from '#server/platform/errors.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Db } from '#server/tables.ts'
import {
  findDeskMember,
  listCasesOf,
  listDeskMembers,
  listListingsOf,
  listReportsBy,
} from './desk-member-queries.ts'
import { hiddenSubject } from './hidden-subject.ts'

/** The actions that the page of a member shows. The audit log has all. */
const shownActions = 50

/** Returns a page of the members whose name, username or e-mail contains all words, new ones first. */
export async function pageOfDeskMembers(
  db: Db,
  { q = '', cursor, limit }: { q?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<DeskMemberRow>> {
  const words = q.split(/\s+/).filter((word) => word !== '')
  const found = await listDeskMembers(db, words, decodeIdCursor(cursor), limit + 1)
  return paginate(found, limit, ({ id }) => id)
}

/** Returns what the desk knows about a member, without their reports of a moderator who asks. Throws `not_found`. */
export async function describeDeskMember(db: Db, caller: number, id: number): Promise<DeskMemberDetails> {
  const member = await findDeskMember(db, id)
  if (!member) throw new AppError('not_found', memberMessages.notFound)
  const { rule, reason, ends_at, appeal, appeal_answer, language: _language, ...row } = member
  const log = await pageOfAuditLog(db, { target_type: 'member', target_id: id, limit: shownActions })
  return {
    ...row,
    is_withdrawn: await areWithdrawn(db, id),
    suspension: rule === null || reason === null ? null : { rule, reason, ends_at, appeal, appeal_answer },
    listings: await listListingsOf(db, id),
    cases: await listCasesOf(db, id),
    own_reports: await listReportsBy(db, id, await hiddenSubject(db, caller)),
    log: log.rows,
  }
}
