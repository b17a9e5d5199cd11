import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { disownEmail } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { MailedLink } from './mailed-link.tsx'

/** Takes the address from an account that somebody else has registered with it. */
export function NotMyAccountScreen() {
  const client = useQueryClient()
  const { token } = useSearch({ from: '/not-my-account' })
  return (
    <MailedLink
      title={t`this wasn’t me`}
      token={token}
      question={t`Somebody has registered with your e-mail address? Take it from that account. We then write to you about it no more.`}
      action={t`This wasn’t me`}
      send={(mailed) => call(client, disownEmail, { body: { token: mailed } })}
      after={() => (
        <ButtonLink to="/" wide>
          {t`Go to Home`}
        </ButtonLink>
      )}
    />
  )
}
