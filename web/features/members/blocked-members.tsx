import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { GroupHead } from '#web/ui/group-head.tsx'
import css from './blocked-members.module.css'
import { blocksQuery } from './blocks.ts'
import { UnblockButton } from './unblock-button.tsx'
import { Username } from './username.tsx'

/** Lists the blocked members. Renders nothing if there are none. */
export function BlockedMembers() {
  const { data: blocked = [] } = useQuery(blocksQuery)
  if (blocked.length === 0) return null
  return (
    <section className={layout.wideSection} aria-labelledby="blocked-members">
      <GroupHead id="blocked-members" icon="lock" title="blocked members" count={String(blocked.length)} />
      <ul>
        {blocked.map(({ id, username, profile_picture }) => (
          <li key={id} className={classNames(layout.row, css.row)}>
            <Avatar id={id} name={username} picture={profile_picture} />
            <Link
              to="/seller/$id"
              params={{ id: String(id) }}
              className={classNames(text.link, text.standalone, css.name)}
            >
              <span>
                <Username name={username} />
              </span>
            </Link>
            <UnblockButton member={{ id, username }} variant="secondary" />
          </li>
        ))}
      </ul>
    </section>
  )
}
