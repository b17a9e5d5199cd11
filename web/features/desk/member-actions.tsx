import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { grantRole, revokeRole } from '#contract/desk.ts'
import {
  actOnMember,
  type DeskMemberDetails,
  deleteDeskMember,
  type MemberAction,
  memberActions,
  withoutReason,
} from '#contract/desk-members.ts'
import { type DeskRole, deskRoles } from '#contract/desk-roles.ts'
import type { SiteRule } from '#contract/report-cases.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField, SelectField, TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { DaysField, PauseDaysField, RuleField } from './decision-fields.tsx'
import { refreshDesk } from './desk-queries.ts'
import { memberActionTexts, roleTexts } from './desk-texts.ts'
import { daysRules, pauseDaysRules, reasonRules } from './reason-rules.ts'

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
      {opened === 'action' && <MemberActionDialog {...dialog} />}
      {opened === 'role' && <RoleDialog {...dialog} />}
      {opened === 'delete' && <DeleteDialog {...dialog} />}
    </Cluster>
  )
}

interface DialogProps {
  member: DeskMemberDetails
  onClose: () => void
}

interface ActionFields {
  action: MemberAction
  rule: SiteRule
  reason: string
  days: string
}

/** Returns the actions that fit what the member is now. */
function actionsFor({ suspended_at, paused_until, is_withdrawn, email, email_confirmed }: DeskMemberDetails) {
  const fits: Partial<Record<MemberAction, boolean>> = {
    suspend: suspended_at === null,
    restore: suspended_at !== null,
    pause: suspended_at === null && paused_until === null,
    unpause: paused_until !== null,
    withdraw: suspended_at !== null && !is_withdrawn,
    end_sessions: suspended_at === null,
    send_password_reset: email !== null,
    send_confirmation: email !== null && !email_confirmed,
  }
  return memberActions.filter((action) => fits[action] ?? true)
}

/** Returns who reads the reason of an action. */
function readersOf(action: MemberAction): string {
  return toldToMember.includes(action) ? t`The member reads it too.` : t`Only the desk reads it.`
}

/** The actions whose rule and reason the member is told. */
const toldToMember: readonly MemberAction[] = ['warn', 'pause', 'suspend']

function MemberActionDialog({ member, onClose }: DialogProps) {
  const client = useQueryClient()
  const form = useForm<ActionFields>({
    defaultValues: { action: 'note', rule: 'other', reason: '', days: '' },
    reValidateMode: 'onSubmit',
  })
  const action = form.watch('action')
  const submit = useSubmit(form, {
    async send({ days, ...body }) {
      try {
        await call(client, actOnMember, {
          params: { id: member.id },
          body: { ...body, days: days.trim() === '' ? null : Number(days) },
        })
      } finally {
        void refreshDesk(client)
      }
    },
    leave: onClose,
  })
  return (
    <FormDialog
      title={t`act on ${{ name: member.username }}`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`save` }}
    >
      <SelectField
        label={t`Action`}
        options={actionsFor(member).map((value) => ({ value, label: textOf(memberActionTexts[value]) }))}
        {...fieldOf(form, 'action')}
      />
      {toldToMember.includes(action) && <RuleField {...fieldOf(form, 'rule')} />}
      {action === 'pause' && <PauseDaysField {...fieldOf(form, 'days', pauseDaysRules)} />}
      {action === 'suspend' && <DaysField {...fieldOf(form, 'days', daysRules())} />}
      <TextArea
        label={action === 'note' ? t`Note` : t`Reason`}
        hint={readersOf(action)}
        {...fieldOf(form, 'reason', {
          ...reasonRules,
          required: withoutReason.includes(action) ? false : reasonRules.required,
        })}
      />
    </FormDialog>
  )
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
        if (role !== '') await call(client, grantRole, { body: { username, role, current_password } })
        else if (desk_role !== null)
          await call(client, revokeRole, { params: { id }, body: { current_password } })
      } finally {
        void refreshDesk(client)
      }
    },
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
      <p>{t`The account goes with its listings, wants and photos, and can not come back.`}</p>
      <TextArea
        label={t`Reason`}
        hint={t`Only the desk reads it.`}
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
