import { zodResolver } from '@hookform/resolvers/zod'
import type { QueryClient } from '@tanstack/react-query'
import type { z } from 'zod/mini'
import { register, registerForm } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { logInWith } from '#web/features/auth/log-in.ts'

export const registerRules = zodResolver(registerForm)

/** Registers a member and logs in. Returns whether the login worked. Throws if the registration failed. */
export async function becomeMember(
  client: QueryClient,
  { confirm_password: _, ...member }: z.output<typeof registerForm>,
  invitation: string | undefined,
): Promise<boolean> {
  await call(client, register, { body: { ...member, invitation } })
  return await logInWith(client, { username: member.email, password: member.password }).catch(() => false)
}
