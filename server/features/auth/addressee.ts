import type { JobKind } from '#server/platform/jobs.ts'
import type { Db } from '#server/tables.ts'
import { type AddresseeRow, findAddressee, insertWaitingMail } from './queries.ts'

/**
 * Returns the receiver of a job's mail if their address is confirmed. Otherwise stores the job until they confirm it. Returns undefined
 * then, and if the member is deleted.
 */
export async function confirmedAddressee<Data extends { user_id: number }>(
  db: Db,
  kind: JobKind<Data>,
  data: Data,
): Promise<AddresseeRow | undefined> {
  const member = await findAddressee(db, data.user_id)
  if (!member || member.email_confirmed_at) return member
  await insertWaitingMail(db, member.id, kind.name, data)
  return undefined
}
