import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { errorMessages } from '#contract/error-messages.ts'
import { errorText } from '#web/api/api-error.ts'
import { pageVersion } from '#web/features/offline/version.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { missingPart } from './-missing-part.ts'

/**
 * Marks a script that did not come: there is no network, or a newer version has taken its place. Otherwise the router would
 * load the page anew by itself, whatever is being written there.
 */
export function markMissing({ payload }: VitePreloadErrorEvent) {
  payload.message = missingPart
}

/** Stands in for a screen that broke, where the screen itself has no words for it. */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  async function tryAgain() {
    await router.invalidate()
    reset()
  }
  return (
    <Page column>
      <h1>
        <VisuallyHidden>Error</VisuallyHidden>
      </h1>
      {error instanceof Error && error.message === missingPart ? (
        <MissingPart onRetry={tryAgain} />
      ) : (
        <ErrorState text={errorText(error, errorMessages.unexpected)} onRetry={tryAgain} />
      )}
    </Page>
  )
}

/** Where the app's first script is gone from the server as well, only the new version helps. */
function MissingPart({ onRetry }: { onRetry: () => void }) {
  const [isGone, setIsGone] = useState(false)
  useEffect(() => {
    fetch(pageVersion(), { method: 'HEAD' }).then(
      ({ status }) => setIsGone(status === 404),
      () => undefined,
    )
  }, [])
  if (isGone)
    return <ErrorState text="A new version is here." retry="Reload" onRetry={() => location.reload()} />
  return <ErrorState text={missingPart} onRetry={onRetry} />
}

/** The same where nothing stands around it. */
export function FailedPage(props: ErrorComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <FailedScreen {...props} />
    </main>
  )
}
