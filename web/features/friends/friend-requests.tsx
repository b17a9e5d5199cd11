import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FriendRequest, friendMessages } from '#contract/friends.ts'
import { ApiError, errorText, isNotFound } from '#web/api/api-error.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noFriends from '#web/art/empty/no-friends.svg'
import { Username } from '#web/features/sellers/username.tsx'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { controlOfNextRow, isSecondTap } from '#web/ui/next-row.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { answerRequest, friendRequestsQuery } from './friend-queries.ts'
import css from './friends-screen.module.css'

interface Answer {
  readonly request: FriendRequest
  readonly accept: boolean
  /** The element to focus when the request is gone. */
  readonly next: HTMLElement | null
}

/** Shows the friend requests that wait for an answer. */
export function FriendRequests({ failure }: { failure: string }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const requests = useInfiniteList(friendRequestsQuery)
  const answer = useMutation({
    mutationFn: ({ request, accept }: Answer) => answerRequest(client, request.id, accept),
    onSuccess: (_, { request, accept, next }) => {
      if (accept) toasts.show(`You and ${request.username} are friends now`)
      next?.focus()
    },
  })
  const waiting = requests.items
  const busy = answer.isPending ? answer.variables : undefined
  return (
    <>
      <p className={css.back}>
        <Link to="/myfriends" className={classNames(text.link, text.standalone)}>
          &lt; Back to friend list
        </Link>
      </p>
      {answer.isError && (
        <Banner kind="error" onDismiss={answer.reset}>
          {failureText(answer.error, answer.variables)}
        </Banner>
      )}
      {requests.isPending && <Loading />}
      {requests.isLoadingError && <ErrorState text={failure} onRetry={() => requests.refetch()} />}
      {waiting?.length === 0 && <Empty art={noFriends} text="No pending invitations." />}
      {waiting !== undefined && waiting.length > 0 && (
        <ul className={css.requests}>
          {waiting.map((request) => (
            <Request
              key={request.id}
              request={request}
              busy={busy?.request.id === request.id ? busy : undefined}
              onAnswer={(accept, button) =>
                answer.mutate({ request, accept, next: controlOfNextRow(button) })
              }
            />
          ))}
        </ul>
      )}
      <LoadMore {...requests} failure={failure} of="invitations" />
    </>
  )
}

interface RequestProps {
  readonly request: FriendRequest
  readonly busy: Answer | undefined
  readonly onAnswer: (accept: boolean, button: HTMLElement) => void
}

function Request({ request, busy, onAnswer }: RequestProps) {
  const { user_id, username, profile_picture } = request
  return (
    <li className={css.request}>
      <Link to="/seller/$id" params={{ id: String(user_id) }}>
        <Avatar id={user_id} name={username} picture={profile_picture} />
        <span>
          <Username name={username} />
        </span>
      </Link>
      <div className={css.answer}>
        <Button
          variant="secondary"
          size="small"
          busy={busy?.accept === false && 'Loading...'}
          onClick={(event) => isSecondTap(event) || onAnswer(false, event.currentTarget)}
        >
          cancel<VisuallyHidden> the request of {username}</VisuallyHidden>
        </Button>
        <Button
          size="small"
          busy={busy?.accept && 'Loading...'}
          onClick={(event) => isSecondTap(event) || onAnswer(true, event.currentTarget)}
        >
          accept<VisuallyHidden> the request of {username}</VisuallyHidden>
        </Button>
      </div>
    </li>
  )
}

/** Returns the server's message for a rule (request gone, too many friends), or the screen's message. */
function failureText(error: Error, { accept }: Answer): string {
  if (isNotFound(error)) return friendMessages.requestNotFound
  const fallback = accept ? 'Failed to accept friend request' : 'Failed to decline friend request'
  return error instanceof ApiError && error.status === 429 ? errorText(error, fallback) : fallback
}
