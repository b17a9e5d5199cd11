import { useRouter } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { queryClient } from '#web/api/query-client.ts'
import { isReached, noteReach, useReached, watchReach } from '#web/api/reach.ts'
import { keepSeen } from '#web/api/seen.ts'
import { useStoredLogin } from '#web/features/auth/stored-login.ts'
import { messageTime } from '#web/features/messages/message-time.ts'
import { Icon } from '#web/ui/icon.tsx'
import { followVersion } from './new-version.ts'
import css from './offline.module.css'

/** A short break is nothing to speak of. */
const patienceMs = 2000

/** Keeps what is seen, the app and its newest version for when there is no network, and says so when there is none. */
export function Offline() {
  const token = useStoredLogin()?.token
  useEffect(() => (token === undefined ? undefined : keepSeen()), [token])
  useEffect(followVersion, [])
  useReturn()
  const reached = useReached()
  return (
    <div role="status" className={css.place}>
      {!reached && <Banner />}
    </div>
  )
}

function Banner() {
  const seenAt = useSyncExternalStore(watchQueries, oldestShown)
  const [isLong, setIsLong] = useState(!navigator.onLine)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLong) return null
  return (
    <p className={css.banner}>
      <Icon name="warn" size={18} />
      <span>
        {navigator.onLine ? 'Rhubarb does not answer.' : 'You are offline.'}{' '}
        {seenAt === undefined
          ? 'What you have seen before can be read.'
          : `This is from ${messageTime(new Date(seenAt).toISOString())}.`}
      </span>
    </p>
  )
}

/** Once somebody answers again, the screen is renewed. */
function useReturn() {
  const router = useRouter()
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('offline', () => noteReach(false), stop)
    const unwatch = watchReach(() => {
      if (!isReached()) return
      void queryClient.refetchQueries({ type: 'active', stale: true })
      if (router.state.matches.some(({ status }) => status === 'error')) void router.invalidate()
    })
    return () => {
      stop.abort()
      unwatch()
    }
  }, [router])
}

function watchQueries(watcher: () => void) {
  return queryClient.getQueryCache().subscribe(watcher)
}

/** When the oldest came of all that is shown; the counts on the badges are nothing to read. */
function oldestShown(): number | undefined {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' })
  const moments = shown.flatMap(({ state: { data, dataUpdatedAt } }) =>
    typeof data === 'object' && dataUpdatedAt > 0 ? dataUpdatedAt : [],
  )
  return moments.length === 0 ? undefined : Math.min(...moments)
}
