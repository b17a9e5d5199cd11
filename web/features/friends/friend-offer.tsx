import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FriendRequest } from '#contract/friends.ts'
import { errorText } from '#web/api/api-error.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useAction } from '#web/api/use-action.ts'
import { Username } from '#web/features/members/username.tsx'
import layout from '#web/styles/layout.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cluster, Grid } from '#web/ui/layout.tsx'
import css from './friend-offer.module.css'
import { answerRequest, friendRequestsQuery } from './friend-queries.ts'

/** Offers a new member the friend who invited them. The request stays in My friends until it is answered. */
export function FriendOffer() {
  const { items: requests } = useInfiniteList(friendRequestsQuery)
  const [answered, setAnswered] = useState<FriendRequest>()
  const [isDismissed, setDismissed] = useState(false)
  // An answered request leaves the list, but its result stays visible here.
  const request = answered ?? requests?.[0]
  if (request === undefined || isDismissed) return null
  return (
    <Offer request={request} onAnswer={() => setAnswered(request)} onDismiss={() => setDismissed(true)} />
  )
}

interface OfferProps {
  readonly request: FriendRequest
  readonly onAnswer: () => void
  readonly onDismiss: () => void
}

function Offer({ request, onAnswer, onDismiss }: OfferProps) {
  const client = useQueryClient()
  const { user_id, username, profile_picture } = request
  const acceptance = useAction(() => answerRequest(client, request.id, true), { onMutate: onAnswer })
  if (acceptance.isSuccess) return <Banner kind="success">{t`You and ${username} are friends now.`}</Banner>
  return (
    <Grid as="section" gap="2" className={css.offer} aria-label={t`Invitation from ${username}`}>
      {acceptance.isError && (
        <Banner kind="error">{errorText(acceptance.error, t`Failed to accept friend request`)}</Banner>
      )}
      <Cluster gap="3">
        <Avatar id={user_id} name={username} picture={profile_picture} />
        <p className={layout.grow}>
          <Trans>
            <b>
              <Username name={username} />
            </b>{' '}
            would like to be your friend
          </Trans>
        </p>
      </Cluster>
      <Cluster className={css.answer}>
        <Button variant="quiet" size="small" onClick={onDismiss}>
          {t`not now`}
        </Button>
        <Button
          variant="secondary"
          size="small"
          busy={acceptance.isPending && t`Loading...`}
          onClick={acceptance.press}
        >
          {t`accept`}
        </Button>
      </Cluster>
    </Grid>
  )
}
