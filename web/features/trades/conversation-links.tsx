import type { Trade } from '#contract/trades.ts'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { othersIn } from './trade-text.ts'

/** Links to the conversations with the other members of a trade. */
export function ConversationLinks({ trade }: { trade: Trade }) {
  const me = useStoredLogin()?.user.id
  return othersIn(trade, me).map(({ id, username }) => (
    <ButtonLink key={id} variant="secondary" size="small" to="/messages/$otherId" params={{ otherId: id }}>
      Write to {username}
    </ButtonLink>
  ))
}
