import { t } from '@lingui/core/macro'
import { type RegisteredRouter, useNavigate, type ValidateNavigateOptions } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useToasts } from '#web/ui/toasts.ts'

/**
 * Returns a function that shows a toast, which opens the form with its draft again. Call it if saving fails after the member has left
 * the form. Mounting the form dismisses the toast.
 */
export function useReopenToast<Address>(
  key: string,
  notSaved: string,
  form: ValidateNavigateOptions<RegisteredRouter, Address>,
): () => void {
  const navigate = useNavigate()
  const toasts = useToasts()
  useEffect(() => toasts.dismissAction(key), [toasts, key])
  return () =>
    toasts.showAction({
      key,
      text: notSaved,
      label: t`Open`,
      press: () => void navigate(form),
      ofMember: true,
    })
}
