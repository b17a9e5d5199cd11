import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { authMessages, confirmEmail } from '#contract/auth.ts'
import { confirmationDays } from '#contract/constants.ts'
import { ApiError, errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { MyListsLink } from '#web/features/auth/my-lists-link.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import layout from '#web/styles/layout.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Loading } from '#web/ui/loading.tsx'
import { PageHead } from '#web/ui/page.tsx'

interface Outcome {
  readonly kind: 'confirmed' | 'refused' | 'not answered'
  readonly text: string
}

/** Confirms the address by a script, because mail programs prefetch links. */
export function ConfirmEmailScreen() {
  const { token } = useSearch({ from: '/confirm-email' })
  const { outcome, retry } = useConfirmation(token)
  return (
    <AuthLayout>
      <PageHead title="your address" />
      <div className={classNames(layout.stack, layout.above5)}>
        {outcome === undefined ? (
          <Loading />
        ) : (
          <Banner kind={outcome.kind === 'confirmed' ? 'success' : 'error'}>{outcome.text}</Banner>
        )}
        {outcome?.kind === 'not answered' && (
          <Button variant="secondary" wide onClick={retry}>
            Try again
          </Button>
        )}
        {outcome?.kind === 'refused' && <p>A link serves once, and for {confirmationDays} days.</p>}
        {outcome !== undefined && <MyListsLink />}
      </div>
    </AuthLayout>
  )
}

/** Sends the token once on load. A second call would be refused, because a link works once. */
function useConfirmation(token: string | undefined) {
  const [outcome, setOutcome] = useState<Outcome>()
  const isSent = useRef(false)

  const client = useQueryClient()
  const send = useCallback(async () => {
    setOutcome(undefined)
    setOutcome(await confirm(client, token))
  }, [client, token])

  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    void send()
  }, [send])
  return { outcome, retry: send }
}

async function confirm(client: QueryClient, token: string | undefined): Promise<Outcome> {
  if (token === undefined) return { kind: 'refused', text: authMessages.confirmInvalid }
  try {
    const { message } = await call(client, confirmEmail, { body: { token } })
    void client.invalidateQueries(profileQuery)
    return { kind: 'confirmed', text: message }
  } catch (failure) {
    const isRefused = failure instanceof ApiError && failure.status >= 400 && failure.status < 500
    return {
      kind: isRefused ? 'refused' : 'not answered',
      text: errorText(failure),
    }
  }
}
