import { lazy, Suspense } from 'react'

const LinkedText = lazy(() =>
  import('./linked-text.tsx').then(
    ({ LinkedText }) => ({ default: LinkedText }),
    () => ({ default: PlainText }),
  ),
)

/** A text without any of these has no web address. */
const mayHaveLink = /\S\.\S|:\/\/|localhost/i

/** Renders the text of a message. The code that finds web addresses is loaded for the first text that may have one. */
export function MessageText({ text }: { text: string }) {
  if (!mayHaveLink.test(text)) return text
  return (
    <Suspense fallback={text}>
      <LinkedText text={text} />
    </Suspense>
  )
}

function PlainText({ text }: { text: string }) {
  return <>{text}</>
}
