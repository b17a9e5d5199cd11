import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { authMessages } from '#contract/auth.ts'
import { ApiError, unknownFailure } from '#web/api/api-error.ts'
import { useAction } from '#web/api/use-action.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { PageHead } from '#web/ui/page.tsx'

interface MailedLinkProps {
  readonly title: string
  readonly token: string | undefined
  /** What the button does. */
  readonly question: ReactNode
  readonly action: string
  readonly send: (token: string) => Promise<{ message: string }>
  /** Follows a result, or the refusal of the link. */
  readonly after: (isDone: boolean) => ReactNode
}

/** The page of a mail's link. Only a press sends the token, because mail scanners open links and run scripts. */
export function MailedLink({ title, token, question, action, send, after }: MailedLinkProps) {
  const sending = useAction(send, { fallback: unknownFailure() })
  const isRefused = token === undefined || isRefusal(sending.error)
  const failure = token === undefined ? translateMessage(authMessages.confirmInvalid) : sending.failure
  return (
    <AuthLayout>
      <PageHead title={title} />
      <Stack className={layout.above5}>
        {failure !== undefined && <Banner kind="error">{failure}</Banner>}
        {sending.isSuccess && <Banner kind="success">{translateMessage(sending.data.message)}</Banner>}
        {!isRefused && !sending.isSuccess && (
          <>
            {failure === undefined && <p>{question}</p>}
            <Button
              wide
              busy={sending.isPending && t`Sending...`}
              onClick={(event) => sending.press(event, token)}
            >
              {action}
            </Button>
          </>
        )}
        {(isRefused || sending.isSuccess) && after(sending.isSuccess)}
      </Stack>
    </AuthLayout>
  )
}

function isRefusal(failure: Error | null): boolean {
  return (
    failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 429
  )
}
