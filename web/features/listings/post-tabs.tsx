import { TabLinks } from '#web/ui/tabs.tsx'

/** What a member adds: something they have, or something they want. One is no step of the other, so Back leaves both. */
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
