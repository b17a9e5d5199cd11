import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Outlet, useMatch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { pollMs } from '#contract/constants.ts'
import { queryClient } from '#web/api/query-client.ts'
import { subscribeToLogin, useStoredLogin } from '#web/features/auth/stored-login.ts'
import { pollUnless, unreadQuery } from '#web/features/messages/message-queries.ts'
import { unreadNotificationsQuery } from '#web/features/notifications/notification-queries.ts'
import { MemberShell } from '#web/features/shell/member-shell.tsx'
import { connect, useConnected } from '#web/realtime/connection.ts'
import { laterCode } from '#web/realtime/later-code.ts'
import { hideToast } from '#web/ui/toast.tsx'
import { whenIdle } from '#web/ui/when-idle.ts'

export function MemberFrame() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  )
}

function Shell() {
  const token = useStoredLogin()?.token
  useRealtime(token)
  // What one member could undo, the next can not.
  useEffect(() => subscribeToLogin(hideToast), [])
  const connected = useConnected()
  // Whoever logs out sees the screen for another moment, and is asked after no more.
  const asked = {
    enabled: token !== undefined,
    refetchInterval: pollUnless(connected, pollMs.unreadCount),
  } as const
  const { data: message = 0 } = useQuery({ ...unreadQuery, ...asked })
  const { data: notifications = 0 } = useQuery({ ...unreadNotificationsQuery, ...asked })
  // A conversation fills the height.
  const isConversation = useMatch({ from: '/_members/messages/$otherId', shouldThrow: false }) !== undefined
  return (
    <MemberShell unread={{ message, notifications }} footer={!isConversation} notice={<WhenSettled />}>
      <Outlet />
    </MemberShell>
  )
}

// Without it every screen works as well: it may be a version that is gone.
const Offline = lazy<() => ReactNode>(() =>
  import('../offline/offline.tsx').then(
    ({ Offline }) => ({ default: Offline }),
    () => ({ default: () => null }),
  ),
)

/** What no first visit waits for. */
function WhenSettled() {
  return (
    useSettled() && (
      <Suspense>
        <Offline />
      </Suspense>
    )
  )
}

/** Whether the first screen has been drawn, so that what comes now takes nothing from it. */
function useSettled() {
  const [settled, setSettled] = useState(false)
  useEffect(() => whenIdle(() => setSettled(true)), [])
  return settled
}

/** While somebody is logged in, what the server tells comes into the query cache. */
function useRealtime(token: string | undefined) {
  useEffect(() => {
    if (token === undefined) return
    const stops: (() => void)[] = []
    // Whoever listens is there before the connection: what it brings first, and that it stands, must not go unheard.
    const stopWaiting = whenIdle(() => {
      const stopAsking = laterCode(
        () => import('./follow-realtime.ts'),
        ({ followRealtime }) => stops.push(followRealtime(), connect()),
      )
      stops.push(stopAsking)
    })
    return () => {
      stopWaiting()
      for (const stop of stops) stop()
    }
  }, [token])
}
