import { useMatches } from '@tanstack/react-router'
import type { ComponentType } from 'react'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's title without the site's name, or a component that renders a `Title` when the data names the page. */
    readonly title?: string | ComponentType
  }
}

export function Title({ name }: { name: string }) {
  return <title>{`${name} · Rhubarb`}</title>
}

/** The title of the page, taken from its deepest route. */
export function PageTitle() {
  const NameOrTitle = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
  })
  if (NameOrTitle === undefined) return <title>Rhubarb</title>
  return typeof NameOrTitle === 'string' ? <Title name={NameOrTitle} /> : <NameOrTitle />
}
