import type { FastifyBaseLogger } from 'fastify'
import { authMessages, type Credentials, type Login } from '#contract/auth.ts'
import { loginLifetimeMs } from '#contract/constants.ts'
import type { Language } from '#contract/languages.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { AccountLimits } from './limits.ts'
import { verifyPassword } from './passwords.ts'
import { adoptLanguage, findLogin } from './queries.ts'
import { findWaitingLogin } from './registration-queries.ts'

/**
 * Opens a session. Throws `not_authenticated` after the same time for an unknown e-mail and a wrong password. With the right one
 * throws `suspended`, and `forbidden` for who waits for a moderator. Also throws `too_many` and `unavailable`. A member who has no language
 * takes the one of the browser.
 */
export async function logMemberIn(
  { db, sessions, log }: Pick<Deps, 'db' | 'sessions'> & { log: Pick<FastifyBaseLogger, 'info'> },
  limits: AccountLimits,
  { username: email, password }: Credentials,
  address: string,
  browserLanguage: Language | undefined,
): Promise<Login> {
  await limits.login.attempt(email, address)
  // Both for every address, because the time must not tell members from others.
  const [member, waiting] = await Promise.all([findLogin(db, email), findWaitingLogin(db, email)])
  const isRight = await verifyPassword((member ?? waiting)?.password_hash, password)
  const isOpen = isRight && member !== undefined && !member.suspended_at
  log.info({ member: member?.id, address }, isOpen ? 'A member logged in' : 'A login was refused')
  if (!member && waiting && isRight) throw new AppError('forbidden', authMessages.waiting)
  if (!member || !isRight) throw new AppError('not_authenticated', authMessages.incorrectLogin)
  if (member.suspended_at) throw new AppError('suspended', authMessages.suspended)

  const { id, username, first_name, profile_picture, password_hash } = member
  const access_token = await sessions.open(id, password_hash)
  if (access_token === undefined) throw new AppError('not_authenticated', authMessages.incorrectLogin)

  await limits.login.succeeded(email, address)
  if (member.language === null && browserLanguage) await adoptLanguage(db, id, browserLanguage)
  return {
    access_token,
    token_type: 'bearer',
    expires_in: loginLifetimeMs / 1000,
    user: { id, username, first_name, profile_picture, language: member.language ?? browserLanguage ?? null },
  }
}
