import { z } from 'zod/mini'
import { notificationKind } from '#server/features/notifications/kinds.ts'
import { noticeAsJson } from './notice-queries.ts'

/** The desk has done something with a thing of the member, or answers a report. Its mail is sent apart, because nobody can refuse it. */
export const noticeOfDesk = notificationKind('notice', {
  data: z.object({ notice_id: z.int() }),
  about: ({ notice_id }) => ['notice', notice_id],
  facts: `
    select json_build_object('notice', ${noticeAsJson})
    from notices c where c.id = n.about_id and c.user_id = n.user_id`,
})
