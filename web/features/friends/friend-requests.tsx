import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import { type FriendRequest, friendMessages } from '#contract/friends.ts'
import { ApiError, errorText, isNotFound } from '#web/api/api-error.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useAction } from '#web/api/use-action.ts'
import noFriends from '#web/art/empty/no-friends.svg'
import { Username } from '#web/features/members/username.tsx'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { answerRequest, friendRequestsQuery } from './friend-queries.ts'
import css from './friends-screen.module.css'

/** Shows the friend requests that wait for an answer. */
export function FriendRequests() {
  const requests = useInfiniteList(friendRequestsQuery)
  // A request that failed may be gone from the list.
  const [failure, setFailure] = useState<string>()
  return (
    <>
      <p className={css.back}>
        <Link to="/myfriends" className={classNames(text.link, text.standalone)}>
          {t`< Back to friend list`}
        </Link>
      </p>
      <FailureBanner text={failure} onDismiss={() => setFailure(undefined)} />
      <PagedList
        list={requests}
        skeleton={<Loading />}
        empty={<Empty art={noFriends} text={t`No pending invitations.`} />}
        failure={t`Failed to load data`}
        of={t`invitations`}
      >
        {(items) => (
          <ul className={layout.ruleAbove}>
            {items.map((request) => (
              <Request key={request.id} request={request} onFailure={setFailure} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

type RequestProps = { request: FriendRequest; onFailure: (text: string | undefined) => void }

function Request({ request, onFailure }: RequestProps) {
  const { id, user_id, username, profile_picture } = request
  const client = useQueryClient()
  const toasts = useToasts()
  const answer = useAction((accept: boolean) => answerRequest(client, id, accept), {
    onMutate: () => onFailure(undefined),
    onSuccess: (_, accept) => {
      if (accept) toasts.show(t`You and ${username} are friends now`)
    },
    onError: (error, accept) => onFailure(failureText(error, accept)),
  })
  const buttonFor = (accept: boolean) => ({
    size: 'small' as const,
    busy: answer.isPending && answer.variables === accept && t`Loading...`,
    'aria-disabled': answer.isPending,
    onClick: (event: MouseEvent) => answer.press(event, accept),
  })
  return (
    <Cluster as="li" className={classNames(layout.listItem, css.request)}>
      <Link to="/seller/$id" params={{ id: String(user_id) }}>
        <Avatar id={user_id} name={username} picture={profile_picture} />
        <span>
          <Username name={username} />
        </span>
      </Link>
      <Cluster>
        <Button variant="secondary" {...buttonFor(false)}>
          <Trans>
            cancel<VisuallyHidden> the request of {username}</VisuallyHidden>
          </Trans>
        </Button>
        <Button {...buttonFor(true)}>
          <Trans>
            accept<VisuallyHidden> the request of {username}</VisuallyHidden>
          </Trans>
        </Button>
      </Cluster>
    </Cluster>
  )
}

/** Returns the server's message for a rule (request gone, too many friends), or the screen's message. */
function failureText(error: Error, accept: boolean): string {
  if (isNotFound(error)) return translateMessage(friendMessages.requestNotFound)
  const fallback = accept ? t`Failed to accept friend request` : t`Failed to decline friend request`
  return error instanceof ApiError && error.status === 429 ? errorText(error, fallback) : fallback
}
