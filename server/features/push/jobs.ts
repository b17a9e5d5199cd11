import type { PushMessage } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { languageOf } from '#server/features/members/language.ts'
import { inBatches } from '#server/platform/db/database.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { PushAddress } from '#server/platform/push.ts'
import { pushKey } from './push.ts'
import { takeEnded } from './queries.ts'

/** Queues the last push to each browser whose login has ended. */
export const tellEndedBrowsers = jobKind<Record<never, never>>('tell-ended-browsers')

/** Sends the last push to a browser. The job's data has its address, because no row has it any more. */
const sendLastPush = jobKind<PushAddress & { user_id: number }>('send-last-push')

const batchSize = 500

function loginEnded(t: Translator): PushMessage {
  return {
    category: 'login',
    title: t('Notifications have stopped on this device'),
    body: t('Your login here has ended. Log in to get them again.'),
    path: '/login',
    tag: 'login',
  }
}

export function registerPushJobs({
  db,
  jobs,
  pusher,
  translatorFor,
}: Pick<Deps, 'db' | 'jobs' | 'pusher' | 'translatorFor'>) {
  jobs.repeat(tellEndedBrowsers, '* * * * *', () =>
    inBatches(db, batchSize, async (tx) => {
      const ended = await takeEnded(tx, batchSize)
      await jobs.addAll(tx, sendLastPush, ended)
      return ended.length
    }),
  )
  jobs.handle(sendLastPush, async ({ user_id, ...address }) => {
    const t = translatorFor(await languageOf(db, user_id))
    await pusher.send(address, JSON.stringify(loginEnded(t)), await pushKey(db))
  })
}
