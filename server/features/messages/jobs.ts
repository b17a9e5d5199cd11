import type { Deps } from '#server/deps.ts'
import { confirmedAddressee } from '#server/features/auth/addressee.ts'
import { oneClickStop } from '#server/features/members/stop-mails.ts'
import { inBatches } from '#server/platform/db/database.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { unreadMail } from './mails/unread.ts'
import { pushDueMessages, pushMessages, pushThread, pushUnread } from './pushing.ts'
import { findUnread, takeUnmailed } from './queries.ts'

const sendUnreadMail = jobKind<{ user_id: number; partner_id: number }>('send-unread-mail')

/** Queues the mails about unread messages that are due. One repeated job does it, because a job per message would be too many. */
export const dispatchUnreadMails = jobKind<Record<never, never>>('dispatch-unread-mails')

const mailDelayMinutes = 15
/** Small, because the transaction locks the threads. */
const batchSize = 50

type JobDeps = Pick<Deps, 'db' | 'jobs' | 'mailer' | 'pusher'>

export function registerMessageJobs({ db, jobs, mailer, pusher }: JobDeps) {
  jobs.repeat(pushMessages, '* * * * *', () => pushDueMessages({ db, jobs }))
  jobs.handle(pushThread, (data) => pushUnread({ db, pusher }, data))

  jobs.handle(sendUnreadMail, async (data, job) => {
    const { user_id, partner_id } = data
    const unread = await findUnread(db, user_id, partner_id)
    if (!unread?.mail_unread) return
    const member = await confirmedAddressee(db, sendUnreadMail, data)
    if (!member) return
    const oneClick = await oneClickStop(db, user_id, 'mail_unread')
    await mailer.send(unreadMail(member, { ...unread, partner_id }, oneClick), job)
  })

  jobs.repeat(dispatchUnreadMails, '* * * * *', async () => {
    await inBatches(db, batchSize, async (tx) => {
      const threads = await takeUnmailed(tx, mailDelayMinutes, batchSize)
      for (const { member_id, partner_id, mail_unread } of threads) {
        if (mail_unread) await jobs.add(tx, sendUnreadMail, { user_id: member_id, partner_id })
      }
      return threads.length
    })
  })
}
