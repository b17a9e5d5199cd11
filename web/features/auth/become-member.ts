import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { z } from 'zod/mini'
import { register, registerForm } from '#contract/auth.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { logInWith } from '#web/features/auth/log-in.ts'

export const registerRules = zodResolver(registerForm)

/** Registers a member and logs in. Returns false on a site by approval: then a moderator has to let them in. */
export async function becomeMember(
  client: QueryClient,
  { confirm_password: _, ...member }: z.output<typeof registerForm>,
  invitation: string | undefined,
) {
  const registered = await call(client, register, { body: { ...member, invitation } })
  if ('message' in registered) return false
  await logInWith(client, { username: member.email, password: member.password }).catch((cause) => {
    throw new ApiError({ status: 0, detail: t`Login failed after registration` }, { cause })
  })
  return true
}
