import { t } from '@lingui/core/macro'
import { type RegisteredRouter, useNavigate, type ValidateNavigateOptions } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useToasts } from '#web/ui/toasts.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'

/**
 * Returns `isMounted` and `showReopenToast` for a form with a draft. Call `showReopenToast` if saving fails after the member has left
 * the form: the toast opens the form again with the draft. Mounting the form dismisses the toast.
 */
export function useReopenToast<Address>(
  notSaved: string,
  form: ValidateNavigateOptions<RegisteredRouter, Address>,
) {
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const toasts = useToasts()
  useEffect(() => toasts.dismissAction(notSaved), [toasts, notSaved])
  return {
    isMounted,
    showReopenToast() {
      toasts.showAction({
        text: notSaved,
        label: t`Open`,
        press: () => void navigate(form),
        ofMember: true,
      })
    },
  }
}
