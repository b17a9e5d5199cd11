import { TabLinks } from '#web/ui/tabs.tsx'

/** Tabs for a new listing or a new want. They replace each other in the history, so Back leaves both. */
export function PostTabs() {
  return (
    <TabLinks
      label="What to add"
      items={[
        { label: 'Have', to: '/listings/new', replace: true },
        { label: 'Want', to: '/post-want', replace: true },
      ]}
    />
  )
}
