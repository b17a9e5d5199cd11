import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { resendConfirmation } from '#contract/auth.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAction } from '#web/api/use-action.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import css from './confirm-email-line.module.css'

/** Asks a member to confirm their e-mail address, and sends the mail again. Shows nothing once it is confirmed. */
export function ConfirmEmailLine() {
  const client = useQueryClient()
  const { data: me } = useQuery(profileQuery)
  const resend = useAction(() => call(client, resendConfirmation), {
    // The address may have been confirmed in another window.
    onSettled: () => client.invalidateQueries(profileQuery),
  })
  if (me === undefined || me.email_confirmed) return null
  if (me.email === '')
    return (
      <div className={css.notice}>
        <Banner kind="notice">
          <Trans>
            Your account has no e-mail address, because its owner says it is not yours. You need one to log in
            again:{' '}
            <Link to="/profile/edit" className={text.link}>
              add your own
            </Link>
            .
          </Trans>
        </Banner>
      </div>
    )
  const action = (
    <>
      <Button variant="quiet" size="small" busy={resend.isPending && t`Sending...`} onClick={resend.press}>
        {t`Send it again`}
      </Button>
      <span role="status">{resend.data && translateMessage(resend.data.message)}</span>
      <ActionFailure>{resend.isError && errorText(resend.error)}</ActionFailure>
    </>
  )
  if (me.email_refused)
    return (
      <div className={css.notice}>
        <Banner kind="notice" action={<Cluster>{action}</Cluster>}>
          <Trans>
            Our mail to{' '}
            <b>
              <bdi>{me.email}</bdi>
            </b>{' '}
            came back: its mailbox does not exist or takes no mail, so we send you none. Is the address right?{' '}
            <Link to="/profile/edit" className={text.link}>
              Change it
            </Link>
            , or let us send you a link to confirm it.
          </Trans>
        </Banner>
      </div>
    )
  return (
    <Cluster className={css.line}>
      <p>
        <Trans>
          The bell tells you what is new. By e-mail we do, too, once you open the link in our mail to{' '}
          <b>
            <bdi>{me.email}</bdi>
          </b>
          .
        </Trans>
      </p>
      {action}
    </Cluster>
  )
}
