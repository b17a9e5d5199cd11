import { type RegisteredRouter, useNavigate, type ValidateNavigateOptions } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useToasts } from '#web/ui/toasts.ts'
import { useStillHere } from '#web/ui/use-still-here.ts'

/**
 * For a form with a draft. If saving fails after the member has left the form, `offerAgain` shows a toast that opens the form
 * again with the draft. Mounting the form dismisses the toast.
 */
export function useOpenAgain<Address>(
  notSaved: string,
  form: ValidateNavigateOptions<RegisteredRouter, Address>,
) {
  const navigate = useNavigate()
  const stillHere = useStillHere()
  const toasts = useToasts()
  useEffect(() => toasts.dismissAction(notSaved), [toasts, notSaved])
  return {
    stillHere,
    offerAgain() {
      toasts.showAction({
        text: notSaved,
        label: 'Open',
        press: () => void navigate(form),
        ofMember: true,
      })
    },
  }
}
