import { t } from '@lingui/core/macro'
import { useAppContext } from '#web/context/app-context.ts'

/** Returns the label of links to the registration. It promises an account only where everybody gets one. */
export function useSignUpLabel(isInvited = false): string {
  const { registration } = useAppContext().site
  if (registration === 'approval') return t`Ask to join`
  return registration === 'invitation' && !isInvited ? t`How to join` : t`Sign up`
}

/** Returns a sentence about who can register, or undefined if everybody can. */
export function useRegistrationNotice(isInvited = false): string | undefined {
  const { registration } = useAppContext().site
  if (registration === 'approval')
    return t`A volunteer looks at each registration, and then we send you a mail.`
  if (registration === 'invitation' && !isInvited)
    return t`This site is by invitation. Please ask a neighbor who is a member for their link.`
}
