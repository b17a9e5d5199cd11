import { t } from '@lingui/core/macro'
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { IconLink } from '#web/ui/button.tsx'
import type { IconButtonVariant } from '#web/ui/button-class.ts'
import { Icon } from '#web/ui/icon.tsx'
import { isPlainClick } from '#web/ui/plain-click.ts'

/** Goes back in the history, or to `to` if the page was opened directly. */
export function BackLink({
  to,
  variant = 'plain',
}: {
  to: '/listings' | '/my-listings' | '/messages' | '/profile' | '/myfriends' | '/trades' | '/notifications'
  variant?: IconButtonVariant
}) {
  const router = useRouter()
  const canGoBack = useCanGoBack()

  function goBack(event: MouseEvent) {
    if (!canGoBack || !isPlainClick(event)) return
    event.preventDefault()
    router.history.back()
  }
  return (
    <IconLink label={t`Back`} to={to} variant={variant} onClick={goBack}>
      <Icon name="back" />
    </IconLink>
  )
}
