import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useOnlineStatus } from '#web/api/online-status.ts'
import { createPersistedCache } from '#web/api/persisted-cache.ts'
import { useCached } from '#web/api/use-query-state.ts'
import { type AppContext, useAppContext } from '#web/context/app-context.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { Icon } from '#web/ui/icon.tsx'
import { shortTime } from '#web/ui/time.tsx'
import { watchVersion } from './new-version.ts'
import css from './offline.module.css'

/** The banner appears after this time without a connection. */
const delayMs = 2000

/** Persists the query cache, registers the service worker, and shows a banner while the server can not be reached. */
export function Offline() {
  const app = useAppContext()
  const { queryClient, login } = app
  const token = useStoredLogin()?.token
  useEffect(
    () => (token === undefined ? undefined : createPersistedCache(login).persist(queryClient)),
    [queryClient, login, token],
  )
  useEffect(() => watchVersion(app), [app])
  useRefetchOnReconnect(app)
  const online = useOnlineStatus()
  return (
    <div role="status" className={css.status}>
      {!online && <Banner />}
    </div>
  )
}

function Banner() {
  const { name } = useAppContext().site
  const dataAt = useCached(oldestShown)
  const [isLong, setIsLong] = useState(!navigator.onLine)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), delayMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLong) return null
  return (
    <p className={css.banner}>
      <Icon name="warn" size={18} />
      <span>
        {navigator.onLine ? t`${{ site: name }} does not answer.` : t`You are offline.`}{' '}
        {dataAt === undefined
          ? t`What you have seen before can be read.`
          : t`This is from ${{ time: shortTime(new Date(dataAt).toISOString()) }}.`}
      </span>
    </p>
  )
}

/** Refetches the screen's queries once the server answers again. */
function useRefetchOnReconnect({ queryClient, onlineStatus }: AppContext) {
  const router = useRouter()
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('offline', () => onlineStatus.set(false), stop)
    const { unsubscribe } = onlineStatus.subscribe((isOnline) => {
      if (!isOnline) return
      void queryClient.refetchQueries({ type: 'active', stale: true })
      if (router.state.matches.some(({ status }) => status === 'error')) void router.invalidate()
    })
    return () => {
      stop.abort()
      unsubscribe()
    }
  }, [router, queryClient, onlineStatus])
}

/** Returns the time of the oldest data on the screen. Leaves out the badges' counts, which are numbers. */
function oldestShown(client: QueryClient): number | undefined {
  const shown = client.getQueryCache().findAll({ type: 'active' })
  const moments = shown.flatMap(({ state: { data, dataUpdatedAt } }) =>
    typeof data === 'object' && dataUpdatedAt > 0 ? dataUpdatedAt : [],
  )
  return moments.length === 0 ? undefined : Math.min(...moments)
}
