import { zodResolver } from '@hookform/resolvers/zod'
import type { QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { register, registerForm } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { logInWith } from '#web/features/auth/log-in.ts'

export const registerRules = zodResolver(registerForm)

/** Registers and logs in. Says whether the new member is logged in; throws when there is no new member. */
export async function becomeMember(
  client: QueryClient,
  { confirm_password: _, ...member }: z.output<typeof registerForm>,
  invitation: string | undefined,
): Promise<boolean> {
  await call(client, register, { body: { ...member, invitation } })
  return await logInWith(client, { username: member.email, password: member.password }).catch(() => false)
}
