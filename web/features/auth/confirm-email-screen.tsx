import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { authMessages, confirmEmail } from '#contract/auth.ts'
import { ApiError, sentenceFor } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
import { profileQuery } from '#web/features/profile/profile-query.ts'
import { AuthLayout } from '#web/features/shell/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageHead } from '#web/ui/page.tsx'
import css from './auth-form.module.css'

interface Outcome {
  readonly kind: 'confirmed' | 'refused' | 'not answered'
  readonly sentence: string
}

/** The address is confirmed by a call of this page, so that a mail program that looks at links ahead confirms nothing. */
export function ConfirmEmailScreen() {
  const { token } = useSearch({ from: '/confirm-email' })
  const { outcome, askAgain } = useConfirmation(token)
  return (
    <AuthLayout>
      <PageHead title="your address" />
      <div className={css.note}>
        {outcome === undefined ? (
          <p role="status">Loading...</p>
        ) : (
          <Banner kind={outcome.kind === 'confirmed' ? 'success' : 'error'}>{outcome.sentence}</Banner>
        )}
        {outcome?.kind === 'not answered' && (
          <Button variant="secondary" wide onClick={askAgain}>
            Try again
          </Button>
        )}
        {outcome?.kind === 'refused' && <p>A link serves once, and for seven days.</p>}
        {outcome !== undefined && <WayOn />}
      </div>
    </AuthLayout>
  )
}

function WayOn() {
  const login = useStoredLogin()
  if (login === null) {
    return (
      <ButtonLink to="/login" wide>
        Login
      </ButtonLink>
    )
  }
  return (
    <ButtonLink to="/my-listings" wide>
      My lists
    </ButtonLink>
  )
}

/** Asks once: a link that is used up would be refused the second time. */
function useConfirmation(token: string | undefined) {
  const [outcome, setOutcome] = useState<Outcome>()
  const asked = useRef(false)

  const client = useQueryClient()
  const ask = useCallback(async () => {
    setOutcome(undefined)
    setOutcome(await confirm(client, token))
  }, [client, token])

  useEffect(() => {
    if (asked.current) return
    asked.current = true
    void ask()
  }, [ask])
  return { outcome, askAgain: ask }
}

async function confirm(client: QueryClient, token: string | undefined): Promise<Outcome> {
  if (token === undefined) return { kind: 'refused', sentence: authMessages.confirmInvalid }
  try {
    const { message } = await call(client, confirmEmail, { body: { token } })
    void client.invalidateQueries(profileQuery)
    return { kind: 'confirmed', sentence: message }
  } catch (failure) {
    const isRefused = failure instanceof ApiError && failure.status >= 400 && failure.status < 500
    return {
      kind: isRefused ? 'refused' : 'not answered',
      sentence: sentenceFor(failure, 'An error occurred'),
    }
  }
}
