import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { grantRole, revokeRole } from '#contract/desk.ts'
import {
  type DeskMemberDetails,
  deleteDeskMember,
  type MemberAction,
  memberActions,
} from '#contract/desk-members.ts'
import { type DeskRole, deskRoles } from '#contract/desk-roles.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField, SelectField, TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { refreshDesk } from './desk-queries.ts'
import { actionTexts, roleTexts } from './desk-texts.ts'
import { MemberActionDialog } from './member-action-dialog.tsx'
import { reasonRules } from './reason-rules.ts'

/** Acts on a member. An operator can also change the role and delete the account. */
export function MemberActions({ member }: { member: DeskMemberDetails }) {
  const [opened, setOpened] = useState<'action' | 'role' | 'delete'>()
  const { data: me } = useQuery(profileQuery)
  const dialog = { member, onClose: () => setOpened(undefined) }
  return (
    <Cluster gap="2">
      <Button size="small" onClick={() => setOpened('action')}>{t`act`}</Button>
      {me?.desk_role === 'operator' && (
        <>
          <Button variant="secondary" size="small" onClick={() => setOpened('role')}>
            {t`change the role`}
          </Button>
          <Button variant="danger" size="small" onClick={() => setOpened('delete')}>
            {t`delete the account`}
          </Button>
        </>
      )}
      {opened === 'action' && <MemberActionDialog {...dialog} actions={actionsFor(member)} />}
      {opened === 'role' && <RoleDialog {...dialog} />}
      {opened === 'delete' && <DeleteDialog {...dialog} />}
    </Cluster>
  )
}

interface DialogProps {
  member: DeskMemberDetails
  onClose: () => void
}

/** Returns the actions that fit what the member is now. */
function actionsFor({
  suspended_at,
  suspension,
  paused_until,
  is_withdrawn,
  email,
  email_confirmed,
}: DeskMemberDetails): readonly [MemberAction, ...MemberAction[]] {
  const fits: Partial<Record<MemberAction, boolean>> = {
    suspend: suspended_at === null,
    restore: suspended_at !== null,
    keep_suspension: Boolean(suspension?.appeal) && suspension?.appeal_answer === null,
    pause: suspended_at === null && paused_until === null,
    unpause: paused_until !== null,
    withdraw: suspended_at !== null && !is_withdrawn,
    end_sessions: suspended_at === null,
    send_password_reset: email !== null,
    send_confirmation: email !== null && !email_confirmed,
  }
  const [first, ...others] = memberActions
  return [first, ...others.filter((action) => fits[action] ?? true)]
}

interface RoleFields {
  role: DeskRole | ''
  current_password: string
}

function RoleDialog({ member: { id, username, desk_role }, onClose }: DialogProps) {
  const client = useQueryClient()
  const form = useForm<RoleFields>({
    defaultValues: { role: desk_role ?? '', current_password: '' },
    reValidateMode: 'onSubmit',
  })
  const submit = useSubmit(form, {
    async send({ role, current_password: typed }) {
      const current_password = typed || undefined
      try {
        if (role === '') await call(client, revokeRole, { params: { id }, body: { current_password } })
        else await call(client, grantRole, { body: { username, role, current_password } })
      } finally {
        void refreshDesk(client)
      }
    },
    toast: textOf(actionTexts[form.watch('role') === '' ? 'role_revoked' : 'role_granted']),
    leave: onClose,
  })
  return (
    <FormDialog
      title={t`role of ${{ name: username }}`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`save` }}
    >
      <SelectField
        label={t`Role`}
        options={[
          { value: '', label: t`no role` },
          ...deskRoles.map((value) => ({ value, label: textOf(roleTexts[value]) })),
        ]}
        {...fieldOf(form, 'role')}
      />
      <PasswordField
        label={t`Current password`}
        autoComplete="current-password"
        {...fieldOf(form, 'current_password')}
      />
    </FormDialog>
  )
}

function DeleteDialog({ member: { id, username }, onClose }: DialogProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({ defaultValues: { reason: '', current_password: '' }, reValidateMode: 'onSubmit' })
  const submit = useSubmit(form, {
    async send({ reason, current_password }) {
      await call(client, deleteDeskMember, {
        params: { id },
        body: { reason, current_password: current_password || undefined },
      })
    },
    toast: textOf(actionTexts.member_deleted),
    async leave() {
      await navigate({ to: '/desk/members' })
      void refreshDesk(client)
    },
  })
  return (
    <FormDialog
      title={t`delete ${{ name: username }}`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`delete`, variant: 'dangerSolid' }}
    >
      <p>{t`The account goes with its listings, wants and photos, and cannot come back.`}</p>
      <TextArea
        label={t`Reason`}
        hint={t`The member reads it too.`}
        {...fieldOf(form, 'reason', reasonRules)}
      />
      <PasswordField
        label={t`Current password`}
        autoComplete="current-password"
        {...fieldOf(form, 'current_password')}
      />
    </FormDialog>
  )
}
