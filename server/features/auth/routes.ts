import {
  confirmEmail,
  disownEmail,
  getResetAccount,
  logIn,
  logOut,
  requestPasswordReset,
  resendConfirmation,
  resetPassword,
} from '#contract/auth.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { confirmAddress, disownAddress, sendConfirmation } from './email-confirmation.ts'
import { accountLimits } from './limits.ts'
import { logMemberIn } from './login.ts'
import { accountOfToken, requestReset, setPasswordByToken } from './password-reset.ts'

export function authRoutes(app: App, { db, jobs, limits, sessions }: Deps) {
  const attemptLimits = accountLimits(limits)
  route(app, logIn, ({ body, address, language }) =>
    logMemberIn({ db, sessions, log: app.http.log }, attemptLimits, body, address, language),
  )
  route(app, requestPasswordReset, async ({ body, address }) => {
    await attemptLimits.reset.attempt(body.email, address)
    return requestReset({ db, jobs }, body.email)
  })
  route(app, resetPassword, ({ body }) => setPasswordByToken({ db, jobs, sessions }, body))
  route(app, getResetAccount, ({ body }) => accountOfToken(db, body.token))
  route(app, confirmEmail, ({ body }) => confirmAddress({ db, jobs }, body.token))
  route(app, disownEmail, ({ body }) => disownAddress(db, body.token))
  route(app, resendConfirmation, async ({ member, address }) => {
    await attemptLimits.confirmation.attempt(String(member.id), address)
    return sendConfirmation({ db, jobs }, member.id)
  })
  route(app, logOut, async ({ member }) => sessions.close(member.session))
}
