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
      title="your address"
      token={token}
      question="Please confirm that the address of your mail is yours. We then tell you of matches and messages."
      action="Confirm my address"
      send={confirm}
      after={(isDone) => (
        <>
          {!isDone && <p>A link serves once, and for {confirmationDays} days.</p>}
          <MyListsLink />
        </>
      )}
    />
  )
}
