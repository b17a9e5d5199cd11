import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { queryClient } from '#web/api/query-client.ts'
import { MemberShell } from '#web/features/shell/member-shell.tsx'

export function MemberFrame() {
  return (
    <QueryClientProvider client={queryClient}>
      <MemberShell>
        <Outlet />
      </MemberShell>
    </QueryClientProvider>
  )
}
