import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { Username } from '#web/features/members/username.tsx'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { Row, Stack } from '#web/ui/layout.tsx'
import { Composer } from './composer.tsx'
import css from './listing-chat.module.css'
import { MessageList } from './message-list.tsx'
import { conversationQuery } from './message-queries.ts'
import { OfflineNote } from './offline-note.tsx'
import { useUnsent } from './outbox.ts'

type ListingChatProps = {
  listing: Pick<Listing, 'id' | 'title' | 'owner_id' | 'owner_username' | 'owner_profile_picture'>
}

/** The conversation with a listing's owner. The first message about the listing carries it. */
export function ListingChat({
  listing: { id, title, owner_id, owner_username, owner_profile_picture },
}: ListingChatProps) {
  const { data } = useQuery(conversationQuery(owner_id))
  // The link from a match focuses the composer.
  const isLinkTarget = useLocation({ select: ({ hash }) => hash === 'chat' })
  const unsent = useUnsent(owner_id)
  const isEmpty = data?.messages.length === 0 && unsent.length === 0
  const isMentioned = [...(data?.messages ?? []), ...unsent].some(({ listing }) => listing?.id === id)
  return (
    <Stack
      as="section"
      gap="2"
      ref={isLinkTarget ? focusComposer : undefined}
      className={layout.section}
      aria-labelledby="chat"
    >
      <Row className={css.head}>
        <Avatar id={owner_id} name={owner_username} picture={owner_profile_picture} size="xs" />
        <h2 id="chat" className={text.subheading}>
          <Trans>
            Chat with <Username name={owner_username} />
          </Trans>
        </h2>
      </Row>
      {!isEmpty && <MessageList panel otherId={owner_id} otherName={owner_username} />}
      <OfflineNote />
      {data !== undefined && !isMentioned && (
        <p className={css.about}>
          <Trans>
            About <b dir="auto">{title}</b>
          </Trans>
        </p>
      )}
      <div className={css.composer}>
        <Composer
          receiver={owner_id}
          label={t`Message to ${{ name: owner_username }}`}
          about={isMentioned ? undefined : { id, title }}
        />
      </div>
    </Stack>
  )
}

function focusComposer(chat: HTMLElement | null) {
  chat?.querySelector('textarea')?.focus({ preventScroll: true })
  chat?.scrollIntoView({ block: 'center' })
}
