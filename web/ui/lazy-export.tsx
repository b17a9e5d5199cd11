import { t } from '@lingui/core/macro'
import { type FunctionComponent, type ReactNode, Suspense, use, useState } from 'react'
import { ErrorState } from './error-state.tsx'

/** Returns the text when a script of a screen can not be loaded. */
export const chunkMissing = () => t`A part of this screen did not come. Please try again.`

/**
 * Returns a component that loads the one that its module exports by name, and shows the fallback meanwhile. If that fails, it shows
 * an error and loads the module again at a press or when it is mounted again. React's `lazy` would fail until the page is reloaded.
 */
export function lazyExport<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent<Props>>>>,
  name: Name,
  fallback: ReactNode = null,
): FunctionComponent<Props> {
  type Loading = Promise<FunctionComponent<Props> | undefined>
  let loading: Loading | undefined

  function start(): Loading {
    loading ??= load().then(
      (module) => module[name],
      () => {
        loading = undefined
        return undefined
      },
    )
    return loading
  }

  function Loaded({ from, props, onRetry }: { from: Loading; props: Props; onRetry: () => void }) {
    const Component = use(from)
    return Component === undefined ? (
      <ErrorState text={chunkMissing()} onRetry={onRetry} />
    ) : (
      <Component {...props} />
    )
  }

  return function LazyExport(props) {
    const [from, setFrom] = useState(start)
    return (
      <Suspense fallback={fallback}>
        <Loaded from={from} props={props} onRetry={() => setFrom(start())} />
      </Suspense>
    )
  }
}
