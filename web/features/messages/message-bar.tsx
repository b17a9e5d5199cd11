import { useNavigate } from '@tanstack/react-router'
import { Composer } from './composer.tsx'
import css from './message-bar.module.css'

/** At the foot of a member's page: what is sent from it goes on in the conversation. */
export function MessageBar({ member }: { member: { id: number; username: string } }) {
  const navigate = useNavigate()
  return (
    <div className={css.bar}>
      <Composer
        receiver={member.id}
        label={`Message ${member.username}`}
        onSent={() => void navigate({ to: '/messages/$otherId', params: { otherId: member.id } })}
      />
    </div>
  )
}
