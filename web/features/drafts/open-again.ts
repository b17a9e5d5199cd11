import { type RegisteredRouter, useNavigate, type ValidateNavigateOptions } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useToasts } from '#web/ui/toasts.ts'
import { useStillHere } from '#web/ui/use-still-here.ts'

/**
 * For a form whose changes are kept here until they are saved. Who has gone on when saving fails hears of it where they are,
 * and can open the form again, which brings back what was changed. Once the form stands, the offer has come to nothing.
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
