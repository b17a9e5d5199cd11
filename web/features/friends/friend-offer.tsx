import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FriendRequest } from '#contract/friends.ts'
import { sentenceFor } from '#web/api/api-error.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { Username } from '#web/features/sellers/username.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import css from './friend-offer.module.css'
import { answerRequest, friendRequestsQuery } from './friend-queries.ts'

/** Offers a new member the friend who invited them. Whoever lets it be finds the request in My friends. */
export function FriendOffer() {
  const client = useQueryClient()
  const { items: requests } = useInfiniteList(friendRequestsQuery, client)
  const [seen, setSeen] = useState<FriendRequest>()
  const [isPutOff, setPutOff] = useState(false)
  // An answered request leaves the list, but its result stays visible here.
  const request = seen ?? requests?.[0]
  if (request === undefined || isPutOff) return null
  return <Offer request={request} onAnswer={() => setSeen(request)} onPutOff={() => setPutOff(true)} />
}

interface OfferProps {
  readonly request: FriendRequest
  readonly onAnswer: () => void
  readonly onPutOff: () => void
}

function Offer({ request, onAnswer, onPutOff }: OfferProps) {
  const client = useQueryClient()
  const { user_id, username, profile_picture } = request
  const accepting = useMutation(
    {
      mutationFn: () => {
        onAnswer()
        return answerRequest(client, request.id, true)
      },
    },
    client,
  )
  if (accepting.isSuccess) return <Banner kind="success">You and {username} are friends now.</Banner>
  return (
    <section className={css.offer} aria-label={`Invitation from ${username}`}>
      {accepting.isError && (
        <Banner kind="error">{sentenceFor(accepting.error, 'Failed to accept friend request')}</Banner>
      )}
      <div className={css.who}>
        <Avatar id={user_id} name={username} picture={profile_picture} />
        <p>
          <b>
            <Username name={username} />
          </b>{' '}
          would like to be your friend
        </p>
      </div>
      <div className={css.answer}>
        <Button variant="quiet" size="small" onClick={onPutOff}>
          not now
        </Button>
        <Button
          variant="secondary"
          size="small"
          busy={accepting.isPending && 'Loading...'}
          onClick={() => accepting.mutate()}
        >
          accept
        </Button>
      </div>
    </section>
  )
}
