import type { Notice, NoticeKind } from '#contract/notices.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { deskMembers } from '#server/features/desk/roles.ts'
import { notify } from '#server/features/notifications/notifications.ts'
import type { Tx } from '#server/tables.ts'
import { sendNoticeMail } from './job-kinds.ts'
import { hasUnreadNotice, insertNotice, lockReminders } from './notice-queries.ts'
import { noticeOfDesk } from './notifications.ts'

/** Tells a member in the app and by mail what the desk has done. */
export async function tellMember(
  deps: Pick<Deps, 'jobs'> & Publisher,
  tx: Tx,
  user_id: number,
  { listings = [], ...notice }: Partial<Notice> & Pick<Notice, 'kind'>,
): Promise<void> {
  const notice_id = await insertNotice(tx, {
    user_id,
    title: listings[0]?.title ?? null,
    listings: JSON.stringify(listings),
    ...notice,
  })
  await showNotice(deps, tx, user_id, notice_id)
  await deps.jobs.add(tx, sendNoticeMail, { user_id, notice_id })
}

/** Tells all moderators and operators that something waits at the desk. */
export async function tellDesk(
  deps: Pick<Deps, 'jobs'> & Publisher,
  tx: Tx,
  kind: NoticeKind,
): Promise<void> {
  for (const { id } of await deskMembers(tx)) await tellMember(deps, tx, id, { kind })
}

/** Tells all moderators and operators in the app that something waits, unless they have not read that yet. */
export async function remindDesk(
  deps: Pick<Deps, 'jobs'> & Publisher,
  tx: Tx,
  kind: NoticeKind,
): Promise<void> {
  await lockReminders(tx, kind)
  for (const { id: user_id } of await deskMembers(tx))
    if (!(await hasUnreadNotice(tx, user_id, kind)))
      await showNotice(deps, tx, user_id, await insertNotice(tx, { user_id, kind }))
}

async function showNotice(
  deps: Pick<Deps, 'jobs'> & Publisher,
  tx: Tx,
  user_id: number,
  notice_id: number,
): Promise<void> {
  await notify(deps, tx, noticeOfDesk, [{ user_id, from_id: user_id, data: { notice_id } }])
}
