import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FriendRequest, friendMessages } from '#contract/friends.ts'
import { ApiError, errorText, isNotFound } from '#web/api/api-error.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noFriends from '#web/art/empty/no-friends.svg'
import { Username } from '#web/features/members/username.tsx'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { isSecondTap } from '#web/ui/is-second-tap.ts'
import { Loading } from '#web/ui/loading.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { answerRequest, friendRequestsQuery } from './friend-queries.ts'
import css from './friends-screen.module.css'

interface Answer {
  readonly request: FriendRequest
  readonly accept: boolean
}

/** Shows the friend requests that wait for an answer. */
export function FriendRequests() {
  const client = useQueryClient()
  const toasts = useToasts()
  const requests = useInfiniteList(friendRequestsQuery)
  const answer = useMutation({
    mutationFn: ({ request, accept }: Answer) => answerRequest(client, request.id, accept),
    onSuccess: (_, { request, accept }) => {
      if (accept) toasts.show(`You and ${request.username} are friends now`)
    },
  })
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
      <PagedList
        list={requests}
        skeleton={<Loading />}
        empty={<Empty art={noFriends} text="No pending invitations." />}
        failure="Failed to load data"
        of="invitations"
      >
        {(items) => (
          <ul className={layout.ruleAbove}>
            {items.map((request) => (
              <Request
                key={request.id}
                request={request}
                busy={busy?.request.id === request.id ? busy : undefined}
                onAnswer={(accept) => answer.mutate({ request, accept })}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

interface RequestProps {
  readonly request: FriendRequest
  readonly busy: Answer | undefined
  readonly onAnswer: (accept: boolean) => void
}

function Request({ request, busy, onAnswer }: RequestProps) {
  const { user_id, username, profile_picture } = request
  return (
    <li className={classNames(layout.cluster, layout.listItem, css.request)}>
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
          onClick={(event) => isSecondTap(event) || onAnswer(false)}
        >
          cancel<VisuallyHidden> the request of {username}</VisuallyHidden>
        </Button>
        <Button
          size="small"
          busy={busy?.accept && 'Loading...'}
          onClick={(event) => isSecondTap(event) || onAnswer(true)}
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
