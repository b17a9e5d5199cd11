import { t } from '@lingui/core/macro'
import layout from '#web/styles/layout.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { PageHead } from '#web/ui/page.tsx'

/** Follows the deletion of a profile. */
export function GoodbyeScreen() {
  return (
    <AuthLayout>
      <PageHead title={t`goodbye`} />
      <Stack className={layout.above5}>
        <p>{t`Your profile is deleted, and with it your listings, wish list, photos and friends.`}</p>
        <p>{t`Thank you for what you grew and gave. Should you come back, you are welcome.`}</p>
        <ButtonLink to="/" wide>
          {t`Go to Home`}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  )
}
