import { type FunctionComponent, lazy, type ReactNode, Suspense } from 'react'

/** Returns a component that loads the one that its module exports by name, and shows the fallback meanwhile. */
export function lazyExport<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent<Props>>>>,
  name: Name,
  fallback: ReactNode = null,
): FunctionComponent<Props> {
  const Loaded = lazy<FunctionComponent<object>>(async () => {
    const module = await load()
    return { default: module[name] as FunctionComponent<object> }
  })
  return function LazyExport(props) {
    return (
      <Suspense fallback={fallback}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
