import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FriendStatus } from '#contract/friends.ts'
import type { PublicMember } from '#contract/members.ts'
import { isMissing, sentenceFor } from '#web/api/api-error.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './friend-action.module.css'
import { askToBeFriends, friendStatusQuery, partFrom } from './friend-queries.ts'

type Who = Pick<PublicMember, 'id' | 'username'>

/** Shows the friendship action for the member of the profile. */
export function FriendAction({ member }: { member: Who }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { data: standing } = useQuery(friendStatusQuery(member.id))
  const [open, setOpen] = useState<'invitation' | 'removal'>()
  const place = useRef<HTMLDivElement>(null)

  const asking = useMutation({
    mutationFn: () => askToBeFriends(client, member.id),
    onSuccess: ({ status }) => {
      if (status === 'pending') setOpen('invitation')
      else toasts.show(`You and ${member.username} are friends now`)
    },
  })
  const parting = useMutation({
    mutationFn: () => partFrom(client, member.id).catch(endedAlready),
    onSuccess: close,
  })

  function close() {
    setOpen(undefined)
    // The button that opened the dialog may have been replaced.
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('button, a')?.focus())
  }
  if (standing === undefined) return null
  const failed = asking.error ?? parting.error
  return (
    <>
      <div ref={place} className={css.action}>
        <Action
          standing={standing}
          busy={asking.isPending || (parting.isPending && open === undefined)}
          onAsk={() => asking.mutate()}
          onWithdraw={() => parting.mutate()}
          onRemove={() => setOpen('removal')}
        />
      </div>
      {failed !== null && open === undefined && (
        <div className={css.failed}>
          <Banner
            kind="error"
            onDismiss={() => {
              asking.reset()
              parting.reset()
            }}
          >
            {failureSentence(failed)}
          </Banner>
        </div>
      )}
      {open === 'invitation' && (
        <Dialog
          open
          title="Invitation"
          onClose={close}
          actions={
            <>
              <Button
                variant="secondary"
                busy={parting.isPending && 'Loading...'}
                onClick={() => parting.mutate()}
              >
                cancel request
              </Button>
              <Button onClick={close}>ok!</Button>
            </>
          }
        >
          {parting.isError && <Banner kind="error">{failureSentence(parting.error)}</Banner>}
          <p>Your connection request was sent!</p>
        </Dialog>
      )}
      {open === 'removal' && (
        <ConfirmDialog
          title="Remove Friend"
          action="remove"
          busy={parting.isPending && 'Loading...'}
          error={parting.error === null ? undefined : failureSentence(parting.error)}
          onConfirm={() => parting.mutate()}
          onClose={close}
        >
          Are you sure you want to remove from your friends list?
        </ConfirmDialog>
      )}
    </>
  )
}

interface ActionProps {
  readonly standing: FriendStatus
  readonly busy: boolean
  readonly onAsk: () => void
  readonly onWithdraw: () => void
  readonly onRemove: () => void
}

function Action({ standing: { status, is_sender }, busy, onAsk, onWithdraw, onRemove }: ActionProps) {
  if (status === 'accepted') {
    return (
      <IconButton label="Remove friend" variant="line" className={css.friends} onClick={onRemove}>
        <Icon name="friends" />
      </IconButton>
    )
  }
  if (status === 'pending') {
    return is_sender ? (
      <Button variant="secondary" size="small" busy={busy && 'Loading...'} onClick={onWithdraw}>
        <Icon name="friend-wait" size={20} />
        Cancel friend request
      </Button>
    ) : (
      <ButtonLink to="/myfriends" search={{ view: 'invitations' }} variant="secondary" size="small">
        <Icon name="friend-wait" size={20} />
        Friend request pending
      </ButtonLink>
    )
  }
  return (
    <Button variant="secondary" size="small" busy={busy && 'Loading...'} onClick={onAsk}>
      <Icon name="friend-add" size={20} />
      Add friend
    </Button>
  )
}

function failureSentence(error: Error): string {
  return sentenceFor(error, 'An error occurred')
}

/** Returns whether a failed deletion means that it was deleted elsewhere already. */
function endedAlready(failure: unknown) {
  if (!isMissing(failure)) throw failure
}
