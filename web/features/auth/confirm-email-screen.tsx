import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { confirmEmail } from '#contract/auth.ts'
import { confirmationDays } from '#contract/constants.ts'
import { call } from '#web/api/client.ts'
import { MyListsLink } from '#web/features/auth/my-lists-link.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { MailedLink } from './mailed-link.tsx'

/** Confirms the address of an account. */
export function ConfirmEmailScreen() {
  const client = useQueryClient()
  const { token } = useSearch({ from: '/confirm-email' })

  async function confirm(mailed: string) {
    const confirmed = await call(client, confirmEmail, { body: { token: mailed } })
    void client.invalidateQueries(profileQuery)
    return confirmed
  }
  return (
    <MailedLink
      title={t`your address`}
      token={token}
      question={t`Please confirm that the address of your mail is yours. We then tell you of matches and messages.`}
      action={t`Confirm my address`}
      send={confirm}
      after={(isDone) => (
        <>
          {!isDone && (
            <p>
              {plural(confirmationDays, {
                one: 'A link serves once, and for # day.',
                other: 'A link serves once, and for # days.',
              })}
            </p>
          )}
          <MyListsLink />
        </>
      )}
    />
  )
}
