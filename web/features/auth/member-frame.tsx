import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '#web/api/query-client.ts'
import { useStoredLogin } from '#web/features/auth/stored-login.ts'
import { MemberShell } from '#web/features/shell/member-shell.tsx'
import { connect } from '#web/realtime/connection.ts'

export function MemberFrame() {
  const token = useStoredLogin()?.token
  useEffect(() => (token === undefined ? undefined : connect()), [token])
  return (
    <QueryClientProvider client={queryClient}>
      <MemberShell>
        <Outlet />
      </MemberShell>
    </QueryClientProvider>
  )
}
