import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PublicMember } from '#contract/members.ts'
import { unknownFailure } from '#web/api/api-error.ts'
import { useAction } from '#web/api/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { block } from './blocks.ts'

type NamedMember = Pick<PublicMember, 'id' | 'username'>

export function BlockButton({ member }: { member: NamedMember }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        {t`block`}
      </Button>
      {isOpen && <BlockDialog member={member} onClose={() => setOpen(false)} />}
    </>
  )
}

export function BlockDialog({ member, onClose }: { member: NamedMember; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const blocking = useAction(() => block(client, member.id), {
    fallback: unknownFailure(),
    onSuccess: () => {
      toasts.show(t`${{ username: member.username }} is blocked`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t`block this member?`}
      action={t`block`}
      busy={blocking.isPending && t`Loading...`}
      error={blocking.failure}
      onConfirm={() => blocking.mutate()}
      onClose={onClose}
    >
      <Trans>
        <b dir="auto">{member.username}</b> can no longer write to you or ask to be your friend, and neither
        of you sees the other’s listings. If you are friends, that ends. They are not told, and you can
        unblock them at any time.
      </Trans>
    </ConfirmDialog>
  )
}
