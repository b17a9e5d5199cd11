import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '#web/api/api-error.ts'
import { useAction } from '#web/api/use-action.ts'
import text from '#web/styles/text.module.css'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { replaceLink } from './invitation-link.ts'
import css from './replace-link.module.css'

/** Explains the member's link, and replaces it by a new one after a confirmation. */
export function ReplaceLink() {
  const client = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const replacement = useAction(() => replaceLink(client), { onSuccess: () => setConfirming(false) })
  return (
    <Stack gap="2" align="center" className={classNames(text.muted, text.centered, css.replace)}>
      {replacement.isError && <Banner kind="error">{errorText(replacement.error)}</Banner>}
      <p aria-live="polite">
        {isConfirming
          ? t`The link and the code that you gave away will invite nobody any more.`
          : replacement.isSuccess
            ? t`This is your new link. The old one has ended.`
            : t`Whoever signs up with it finds your friend request.`}
      </p>
      {isConfirming ? (
        <Cluster className={css.choice}>
          <Button variant="quiet" size="small" onClick={() => setConfirming(false)}>
            {t`keep the link`}
          </Button>
          <Button
            variant="secondary"
            size="small"
            busy={replacement.isPending && t`Loading...`}
            onClick={replacement.press}
          >
            {t`end the old link`}
          </Button>
        </Cluster>
      ) : (
        <Button variant="quiet" size="small" onClick={() => setConfirming(true)}>
          {t`make a new link`}
        </Button>
      )}
    </Stack>
  )
}
