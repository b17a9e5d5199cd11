import { t } from '@lingui/core/macro'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { errorMessages } from '#contract/error-messages.ts'
import { errorText } from '#web/api/api-error.ts'
import { pageVersion } from '#web/features/offline/version.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { chunkMissing } from '#web/ui/lazy-export.tsx'
import { Page } from '#web/ui/page.tsx'
import { useRouteRetry } from '#web/ui/use-route-retry.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

/** The name of the error of a script that can not be loaded. */
const importError = 'ImportError'

/**
 * Replaces the message of a failed dynamic import, which is caused by a lost network or a new deployment. By the original message
 * the router would recognize it and reload the page, which loses unsaved input.
 */
export function replaceImportError({ payload }: VitePreloadErrorEvent) {
  payload.name = importError
  payload.message = 'import failed'
}

/** Returns whether a script could not be loaded. */
export function isImportError(error: unknown): boolean {
  return error instanceof Error && error.name === importError
}

/** Shown instead of a screen that threw an error and has no error component of its own. */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const tryAgain = useRouteRetry({ reset })
  return (
    <Page column>
      <h1>
        <VisuallyHidden>{t`Error`}</VisuallyHidden>
      </h1>
      {isImportError(error) ? (
        <MissingChunk onRetry={tryAgain} />
      ) : (
        <ErrorState text={errorText(error, translateMessage(errorMessages.unexpected))} onRetry={tryAgain} />
      )}
    </Page>
  )
}

/** Offers to try again, or to reload if the server no longer has this version's first script. */
function MissingChunk({ onRetry }: { onRetry: () => void }) {
  const [isGone, setIsGone] = useState(false)
  useEffect(() => {
    fetch(pageVersion(), { method: 'HEAD' }).then(
      ({ status }) => setIsGone(status === 404),
      () => undefined,
    )
  }, [])
  if (isGone)
    return <ErrorState text={t`A new version is here.`} retry={t`Reload`} onRetry={() => location.reload()} />
  return <ErrorState text={chunkMissing()} onRetry={onRetry} />
}

/** Shows an error outside of the app shell. */
export function FailedPage(props: ErrorComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <FailedScreen {...props} />
    </main>
  )
}
