import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FriendStatus } from '#contract/friends.ts'
import type { PublicMember } from '#contract/members.ts'
import { ignoreNotFound, unknownFailure } from '#web/api/api-error.ts'
import { useAction } from '#web/api/use-action.ts'
import layout from '#web/styles/layout.module.css'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './friend-action.module.css'
import { endFriendship, friendStatusQuery, sendFriendRequest } from './friend-queries.ts'

type NamedMember = Pick<PublicMember, 'id' | 'username'>

/** Shows the friendship action for the member of the profile. */
export function FriendAction({ member }: { member: NamedMember }) {
  const { data: friendStatus } = useQuery(friendStatusQuery(member.id))
  const friendship = useFriendship(member)
  const { requesting, removing, openDialog, container } = friendship
  if (friendStatus === undefined) return null
  const failure = requesting.failure ?? removing.failure
  return (
    <>
      <Stack gap="2" align="start" ref={container} className={css.action}>
        <Action friendStatus={friendStatus} friendship={friendship} />
      </Stack>
      {failure !== undefined && openDialog === undefined && (
        <div className={layout.wholeLine}>
          <Banner
            kind="error"
            onDismiss={() => {
              requesting.reset()
              removing.reset()
            }}
          >
            {failure}
          </Banner>
        </div>
      )}
      {openDialog === 'requestSent' && <RequestSentDialog friendship={friendship} />}
      {openDialog === 'removal' && <RemovalDialog friendship={friendship} />}
    </>
  )
}

type Friendship = ReturnType<typeof useFriendship>

/** Holds the calls that request and end the friendship, and the dialog that is open. */
function useFriendship(member: NamedMember) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [openDialog, setOpenDialog] = useState<'requestSent' | 'removal'>()
  const container = useRef<HTMLDivElement>(null)
  const requesting = useAction(() => sendFriendRequest(client, member.id), {
    fallback: unknownFailure(),
    onSuccess: ({ status }) => {
      if (status === 'pending') setOpenDialog('requestSent')
      else toasts.show(t`You and ${{ username: member.username }} are friends now`)
    },
  })
  // The friendship may have ended already.
  const removing = useAction(() => endFriendship(client, member.id).catch(ignoreNotFound), {
    fallback: unknownFailure(),
    onSuccess: close,
  })

  function close() {
    setOpenDialog(undefined)
    // The button that opened the dialog may have been replaced.
    requestAnimationFrame(() => container.current?.querySelector<HTMLElement>('button, a')?.focus())
  }
  return { requesting, removing, openDialog, setOpenDialog, container, close }
}

type ActionProps = { friendStatus: FriendStatus; friendship: Friendship }

function Action({ friendStatus: { status, is_sender }, friendship }: ActionProps) {
  const { requesting, removing, openDialog, setOpenDialog } = friendship
  const busy = (requesting.isPending || (removing.isPending && openDialog === undefined)) && t`Loading...`
  if (status === 'accepted') {
    return (
      <IconButton
        label={t`Remove friend`}
        variant="line"
        className={css.friends}
        onClick={() => setOpenDialog('removal')}
      >
        <Icon name="friends" />
      </IconButton>
    )
  }
  if (status === 'pending') {
    return is_sender ? (
      <Button variant="secondary" size="small" busy={busy} onClick={removing.press}>
        <Icon name="friend-wait" size={20} />
        {t`Cancel friend request`}
      </Button>
    ) : (
      <ButtonLink to="/myfriends" search={{ view: 'invitations' }} variant="secondary" size="small">
        <Icon name="friend-wait" size={20} />
        {t`Friend request pending`}
      </ButtonLink>
    )
  }
  return (
    <Button variant="secondary" size="small" busy={busy} onClick={requesting.press}>
      <Icon name="friend-add" size={20} />
      {t`Add friend`}
    </Button>
  )
}

function RequestSentDialog({ friendship: { removing, close } }: { friendship: Friendship }) {
  return (
    <Dialog
      title={t`Invitation`}
      onClose={close}
      busy={removing.isPending}
      actions={
        <>
          <Button variant="secondary" busy={removing.isPending && t`Loading...`} onClick={removing.press}>
            {t`cancel request`}
          </Button>
          <Button data-autofocus aria-disabled={removing.isPending} onClick={close}>
            {t`ok!`}
          </Button>
        </>
      }
    >
      {removing.failure !== undefined && <Banner kind="error">{removing.failure}</Banner>}
      <p>{t`Your connection request was sent!`}</p>
    </Dialog>
  )
}

function RemovalDialog({ friendship: { removing, close } }: { friendship: Friendship }) {
  return (
    <ConfirmDialog
      title={t`Remove Friend`}
      action={t`remove`}
      busy={removing.isPending && t`Loading...`}
      error={removing.failure}
      onConfirm={() => removing.mutate()}
      onClose={close}
    >
      {t`Are you sure you want to remove from your friends list?`}
    </ConfirmDialog>
  )
}
