import { t } from '@lingui/core/macro'
import bunch from '#web/art/spots/rhubarb-bunch.svg'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import empty from '#web/ui/empty.module.css'
import { Stack } from '#web/ui/layout.tsx'
import css from './no-conversation.module.css'

/** Shown beside the list while no conversation is open. */
export function NoConversation() {
  return (
    <Stack align="center" className={classNames(empty.empty, css.centered)}>
      {/* A phone hides it. Lazy loading keeps a phone from fetching it. */}
      <img src={bunch} alt="" loading="lazy" width="320" height="240" />
      <p>{t`Choose a conversation, or find a neighbor to write to.`}</p>
      <ButtonLink variant="secondary" to="/listings">
        {t`Go to the marketplace`}
      </ButtonLink>
    </Stack>
  )
}
