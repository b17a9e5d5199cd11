import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { stopMails } from '#contract/profile.ts'
import { call } from '#web/api/client.ts'

import { ButtonLink } from '#web/ui/button.tsx'
import { MailedLink } from './mailed-link.tsx'

/** Stops the kind of mail that a mail's `List-Unsubscribe` names. */
export function StopMailsScreen() {
  const client = useQueryClient()
  const { token } = useSearch({ from: '/stop-mails' })
  return (
    <MailedLink
      title={t`no more such mails`}
      token={token}
      question={t`We then send you no more mails of this kind. The bell still tells you, and you can choose again in your profile.`}
      action={t`Stop these mails`}
      send={(mailed) => call(client, stopMails, { query: { token: mailed } })}
      after={() => (
        <ButtonLink to="/" wide>
          {t`Go to Home`}
        </ButtonLink>
      )}
    />
  )
}
