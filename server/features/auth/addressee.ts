import type { Deps } from '#server/deps.ts'
import type { JobKind } from '#server/platform/jobs.ts'
import { type AddresseeRow, findAddressee, insertWaitingMail } from './queries.ts'

/**
 * Whom the mail of a job goes to. Undefined when there is none to send now: the member has gone in the meantime, or has not
 * confirmed their address yet, and then the job waits until they do.
 */
export async function confirmedAddressee<Data extends { user_id: number }>(
  db: Deps['db'],
  kind: JobKind<Data>,
  data: Data,
): Promise<AddresseeRow | undefined> {
  const member = await findAddressee(db, data.user_id)
  if (!member || member.email_confirmed_at) return member
  await insertWaitingMail(db, member.id, kind.name, data)
  return undefined
}
