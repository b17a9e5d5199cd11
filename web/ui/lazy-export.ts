import { type FunctionComponent, lazy } from 'react'

/** `lazy` for a component that its module exports by name. */
export function lazyExport<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent<Props>>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] }))
}
