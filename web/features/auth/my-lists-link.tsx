import { t } from '@lingui/core/macro'
import { useIsMember } from '#web/login/login-store.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** Leads a member to My lists, and a guest to the login, which leads there. */
export function MyListsLink() {
  const isMember = useIsMember()
  return (
    <ButtonLink to={isMember ? '/my-listings' : '/login'} wide>
      {isMember ? t`My lists` : t`Login`}
    </ButtonLink>
  )
}
