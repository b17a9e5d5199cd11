import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { sentences } from '#contract/sentences.ts'
import { sentenceFor } from '#web/api/api-error.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'

/** Stands in for a screen that broke, where the screen itself has no words for it. */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  async function tryAgain() {
    await router.invalidate()
    reset()
  }
  return (
    <Page column>
      <ErrorState text={sentenceFor(error, sentences.unexpected)} onRetry={tryAgain} />
    </Page>
  )
}

/** The same where nothing stands around it. */
export function FailedPage(props: ErrorComponentProps) {
  return (
    <main>
      <FailedScreen {...props} />
    </main>
  )
}
