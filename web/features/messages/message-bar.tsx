import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { Composer } from './composer.tsx'
import css from './message-bar.module.css'

/** The composer on a member's profile. Sending leads to the conversation. */
export function MessageBar({ member }: { member: { id: number; username: string } }) {
  const navigate = useNavigate()
  return (
    <div className={css.bar}>
      <Composer
        receiver={member.id}
        label={t`Message ${{ username: member.username }}`}
        onSent={() => void navigate({ to: '/messages/$otherId', params: { otherId: member.id } })}
      />
    </div>
  )
}
