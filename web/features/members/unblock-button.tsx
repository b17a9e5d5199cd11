import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { BriefMember } from '#contract/fields.ts'
import { errorText } from '#web/api/api-error.ts'
import { useAction } from '#web/api/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import type { ButtonShape } from '#web/ui/button-class.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { unblock } from './blocks.ts'

interface UnblockButtonProps {
  member: Pick<BriefMember, 'id' | 'username'>
  variant: ButtonShape['variant']
}

export function UnblockButton({ member, variant }: UnblockButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { press, mutate, isPending } = useAction(() => unblock(client, member.id), {
    onSuccess: () => toasts.show(t`${{ username: member.username }} is no longer blocked`),
    onError: (failure) =>
      toasts.showAction({
        key: `unblock-${member.id}`,
        text: errorText(failure),
        label: t`Try again`,
        press: () => mutate(),
        ofMember: true,
      }),
  })
  return (
    <Button variant={variant} size="small" busy={isPending && t`Loading...`} onClick={press}>
      <span>
        <Trans>
          unblock<VisuallyHidden> {member.username}</VisuallyHidden>
        </Trans>
      </span>
    </Button>
  )
}
