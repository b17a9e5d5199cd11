import { useQuery } from '@tanstack/react-query'
import { Outlet, useHydrated, useMatch, useMatches, useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { pollMs } from '#contract/constants.ts'
import { type AppContext, useAppContext } from '#web/context/app-context.ts'
import { unreadQuery } from '#web/features/messages/message-queries.ts'
import { createOutbox, type Outbox, OutboxProvider } from '#web/features/messages/outbox.ts'
import { unreadNotificationsQuery } from '#web/features/page-head/unread-notifications.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { useConnected } from '#web/realtime/connection.ts'
import { loadWithRetry } from '#web/realtime/load-with-retry.ts'
import { pollUnless } from '#web/realtime/poll-unless.ts'
import { Page } from '#web/ui/page.tsx'
import { useSiteName } from '#web/ui/site-name.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { whenIdle } from '#web/ui/when-idle.ts'
import { MemberShell } from './member-shell.tsx'

export function AppShell() {
  const app = useAppContext()
  const { login, toasts } = app
  const token = useStoredLogin()?.token
  const [outbox] = useState(() => createOutbox(app))
  useEffect(() => outbox.followOtherTabs(), [outbox])
  useRealtime(app, outbox, token)
  useEffect(() => {
    const { unsubscribe } = login.state.subscribe(({ change }) => {
      if (change !== 'rename') toasts.endLogin()
    })
    return unsubscribe
  }, [login, toasts])
  const connected = useConnected()
  // The screen stays for a moment after the logout. It must not poll then.
  const polling = {
    enabled: token !== undefined,
    refetchInterval: pollUnless(connected, pollMs.unreadCount),
  } as const
  const { data: messages = 0 } = useQuery({ ...unreadQuery, ...polling })
  const { data: notifications = 0 } = useQuery({ ...unreadNotificationsQuery, ...polling })
  useShownCount(app, messages + notifications)
  const isMessages = useMatch({ from: '/_members/messages', shouldThrow: false }) !== undefined
  const isConversation = useMatch({ from: '/_members/messages/$otherId', shouldThrow: false }) !== undefined
  return (
    <OutboxProvider value={outbox}>
      <MemberShell
        unread={{ message: messages, notifications }}
        fills={isConversation ? 'always' : isMessages && 'besideList'}
        notice={<IdleOffline />}
      >
        <Outlet />
      </MemberShell>
    </OutboxProvider>
  )
}

/** Shows the count in the page's title and at the icon of the installed app. */
function useShownCount({ unreadCount }: AppContext, count: number) {
  useEffect(() => {
    unreadCount.set(count)
    // Firefox has no badges.
    if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => undefined)
  }, [unreadCount, count])
  useEffect(
    () => () => {
      unreadCount.set(0)
      if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined)
    },
    [unreadCount],
  )
}

/**
 * Shows the skeleton of the first screen while the browser loads a page that the server did not render. A guest, who is
 * redirected to the login, sees nothing.
 */
export function AppShellLoading() {
  const isHydrated = useHydrated()
  const login = useStoredLogin()
  const { routesById } = useRouter()
  const screen = useMatches({ select: (matches) => matches.at(-1)?.routeId })
  if (!isHydrated || login === null) return null
  const ScreenLoading = screen && routesById[screen].options.pendingComponent
  return (
    <MemberShell unread={{ message: 0, notifications: 0 }}>
      {ScreenLoading === undefined || ScreenLoading === AppShellLoading ? (
        <ScreenSkeleton />
      ) : (
        <Suspense fallback={<ScreenSkeleton />}>
          <ScreenLoading />
        </Suspense>
      )}
    </MemberShell>
  )
}

function ScreenSkeleton() {
  return (
    <Page>
      <h1>
        <VisuallyHidden>{useSiteName()}</VisuallyHidden>
      </h1>
      <RowsSkeleton />
    </Page>
  )
}

// If a deployment has removed the files of this version, screens work without it.
const Offline = lazy<() => ReactNode>(() =>
  import('#web/features/offline/offline.tsx').then(
    ({ Offline }) => ({ default: Offline }),
    () => ({ default: () => null }),
  ),
)

/** Loads `Offline` when the browser is idle, because the first screen does not need it. */
function IdleOffline() {
  return (
    useIdle() && (
      <Suspense>
        <Offline />
      </Suspense>
    )
  )
}

/** Returns true once the browser has been idle after the first screen. */
function useIdle() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return isIdle
}

/** Connects the socket and applies its events to the query cache while a member is logged in. */
function useRealtime(app: AppContext, outbox: Outbox, token: string | undefined) {
  useEffect(() => {
    if (token === undefined) return
    const stops: (() => void)[] = []
    const stopWaiting = whenIdle(() => {
      const stopLoading = loadWithRetry(
        () => import('./subscribe-to-realtime.ts'),
        ({ subscribeToRealtime }) => stops.push(subscribeToRealtime(app, outbox)),
      )
      stops.push(stopLoading)
    })
    return () => {
      stopWaiting()
      for (const stop of stops) stop()
    }
  }, [app, outbox, token])
}
