import { Trans } from '@lingui/react/macro'
import type { Trade } from '#contract/trades.ts'
import { Username } from '#web/features/members/username.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import text from '#web/styles/text.module.css'
import { ButtonLink } from '#web/ui/button.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { othersIn } from './trade-text.ts'

/** Links to the conversations with the other members of a trade. */
export function ConversationLinks({ trade }: { trade: Trade }) {
  const me = useStoredLogin()?.user.id
  const others = othersIn(trade, me)
  return others.map(({ id, username }) => (
    <ButtonLink key={id} variant="secondary" size="small" to="/messages/$otherId" params={{ otherId: id }}>
      {others.length > 1 ? (
        <span className={text.breakable}>
          <Trans>
            Write to <Username name={username} />
          </Trans>
        </span>
      ) : (
        <span>
          <Trans>
            Write<VisuallyHidden> to {username}</VisuallyHidden>
          </Trans>
        </span>
      )}
    </ButtonLink>
  ))
}
