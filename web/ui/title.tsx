import type { MessageDescriptor } from '@lingui/core'
import { useMatches } from '@tanstack/react-router'
import { type ComponentType, createContext, useContext } from 'react'
import { textOf } from '#web/i18n/i18n.ts'
import { useSiteName } from '#web/ui/site-name.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's title without the site's name, or a component that renders a `Title` when the data names the page. */
    readonly title?: MessageDescriptor | ComponentType
  }
}

const UnreadCount = createContext(0)

export function Title({ name }: { name?: string }) {
  const unread = useContext(UnreadCount)
  const site = useSiteName()
  const title = name === undefined ? site : `${name} · ${site}`
  return <title>{unread > 0 ? `(${unread}) ${title}` : title}</title>
}

/** The title of the page, taken from its deepest route, with the number of what is unread. */
export function PageTitle({ unread }: { unread: number }) {
  return (
    <UnreadCount value={unread}>
      <RouteTitle />
    </UnreadCount>
  )
}

function RouteTitle() {
  const NameOrTitle = useMatches({
    select: (matches) => {
      // The routes below one that was not found are not shown.
      const last = matches.findIndex(({ status }) => status === 'notFound')
      const shown = last === -1 ? matches : matches.slice(0, last + 1)
      return shown.findLast(({ staticData }) => staticData.title)?.staticData.title
    },
  })
  if (NameOrTitle === undefined) return <Title />
  return 'id' in NameOrTitle ? <Title name={textOf(NameOrTitle)} /> : <NameOrTitle />
}
