import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#web/i18n/formats.ts'
import layout from '#web/styles/layout.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { GroupHead } from '#web/ui/group-head.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { blocksQuery } from './blocks.ts'
import { MemberLink } from './member-link.tsx'
import { UnblockButton } from './unblock-button.tsx'

/** Lists the blocked members. Renders nothing if there are none. */
export function BlockedMembers() {
  const { data: blocked = [] } = useQuery(blocksQuery)
  if (blocked.length === 0) return null
  return (
    <section className={layout.wideSection} aria-labelledby="blocked-members">
      <GroupHead
        id="blocked-members"
        icon="lock"
        title={t`blocked members`}
        count={formatNumber(blocked.length)}
      />
      <ul>
        {blocked.map(({ id, username, profile_picture }) => (
          <Cluster as="li" gap="3" key={id} className={layout.listItem}>
            <Avatar id={id} name={username} picture={profile_picture} />
            <MemberLink id={id} name={username} standalone className={layout.grow} />
            <UnblockButton member={{ id, username }} variant="secondary" />
          </Cluster>
        ))}
      </ul>
    </section>
  )
}
