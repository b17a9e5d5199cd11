import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Outlet, useMatch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pollMs } from '#contract/constants.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useStoredLogin } from '#web/features/auth/stored-login.ts'
import { unreadQuery } from '#web/features/messages/message-queries.ts'
import { MemberShell } from '#web/features/shell/member-shell.tsx'
import { connect, useConnected } from '#web/realtime/connection.ts'

export function MemberFrame() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  )
}

function Shell() {
  useRealtime()
  const connected = useConnected()
  const { data: message = 0 } = useQuery({
    ...unreadQuery,
    refetchInterval: connected ? false : pollMs.unreadCount,
  })
  // A conversation fills the height.
  const isConversation = useMatch({ from: '/_members/messages/$otherId', shouldThrow: false }) !== undefined
  return (
    <MemberShell unread={{ message }} footer={!isConversation}>
      <Outlet />
    </MemberShell>
  )
}

/** While somebody is logged in, what the server tells comes into the query cache. */
function useRealtime() {
  const token = useStoredLogin()?.token
  useEffect(() => {
    if (token === undefined) return
    const stops = [connect()]
    let left = false
    void import('#web/features/messages/live-messages.ts').then(({ followMessages }) => {
      if (!left) stops.push(followMessages())
    })
    return () => {
      left = true
      for (const stop of stops) stop()
    }
  }, [token])
}
