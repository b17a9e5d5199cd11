import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { actOnMember, type MemberAction, withoutReason } from '#contract/desk-members.ts'
import type { SiteRule } from '#contract/report-cases.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { announce } from '#web/ui/announcements.ts'
import { SelectField, TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { DaysField, PauseDaysField, RuleField } from './decision-fields.tsx'
import { refreshDesk } from './desk-queries.ts'
import { actionTexts, loggedMemberActions, memberActionTexts } from './desk-texts.ts'
import { daysRules, pauseDaysRules, reasonRules } from './reason-rules.ts'

interface ActionFields {
  action: MemberAction
  rule: SiteRule
  reason: string
  days: string
}

/** Returns who reads the reason of an action. */
function readersOf(action: MemberAction): string {
  return toldRule.includes(action) || action === 'keep_suspension'
    ? t`The member reads it too.`
    : t`Only the desk reads it.`
}

/** Returns what is written for an action. */
function textLabel(action: MemberAction): string {
  if (action === 'note') return t`Note`
  return action === 'keep_suspension' ? t`Answer` : t`Reason`
}

/** The actions whose rule and reason the member is told. */
const toldRule: readonly MemberAction[] = ['warn', 'pause', 'suspend']

interface DialogProps {
  member: { id: number; username: string }
  /** The actions to choose from. The first one is chosen. */
  actions: readonly [MemberAction, ...MemberAction[]]
  onClose: () => void
}

/** Asks for the reason of an action on a member, and does it. */
export function MemberActionDialog({ member, actions, onClose }: DialogProps) {
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const form = useForm<ActionFields>({
    defaultValues: { action: actions[0], rule: 'other', reason: '', days: '' },
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
    leave() {
      announce(announcement, textOf(actionTexts[loggedMemberActions[action]]))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t`act on ${{ name: member.username }}`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`save` }}
    >
      {actions.length === 1 ? (
        <p>{textOf(memberActionTexts[action])}</p>
      ) : (
        <SelectField
          label={t`Action`}
          options={actions.map((value) => ({ value, label: textOf(memberActionTexts[value]) }))}
          {...fieldOf(form, 'action')}
        />
      )}
      {toldRule.includes(action) && <RuleField {...fieldOf(form, 'rule')} />}
      {action === 'pause' && <PauseDaysField {...fieldOf(form, 'days', pauseDaysRules)} />}
      {action === 'suspend' && <DaysField {...fieldOf(form, 'days', daysRules())} />}
      <TextArea
        label={textLabel(action)}
        hint={readersOf(action)}
        {...fieldOf(form, 'reason', {
          ...reasonRules,
          required: withoutReason.includes(action) ? false : reasonRules.required,
        })}
      />
    </FormDialog>
  )
}
