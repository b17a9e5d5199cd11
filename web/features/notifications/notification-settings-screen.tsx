import { t } from '@lingui/core/macro'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { ConfirmEmailLine } from '#web/features/profile/confirm-email-line.tsx'
import { PushSwitch } from '#web/features/push/push-switch.tsx'
import layout from '#web/styles/layout.module.css'
import { Page } from '#web/ui/page.tsx'
import { MailPreferences } from './mail-preferences.tsx'

/** Chooses the mails, and the push messages of this device. */
export function NotificationSettingsScreen() {
  return (
    <Page column>
      <MemberHead title={t`notification settings`} back={<BackLink to="/notifications" />} />
      <div className={layout.above5}>
        <ConfirmEmailLine />
      </div>
      <PushSwitch />
      <MailPreferences />
    </Page>
  )
}
