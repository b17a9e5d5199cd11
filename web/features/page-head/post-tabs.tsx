import { t } from '@lingui/core/macro'
import { TabLinks } from '#web/ui/tabs.tsx'

/** Tabs for a new listing or a new want. They replace each other in the history, so Back leaves both. */
export function PostTabs() {
  return (
    <TabLinks
      label={t`What to add`}
      items={[
        { label: t`Have`, to: '/listings/new', replace: true },
        { label: t`Want`, to: '/post-want', replace: true },
      ]}
    />
  )
}
