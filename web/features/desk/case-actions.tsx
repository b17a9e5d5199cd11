import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  type CaseOutcome,
  caseOutcomes,
  type ReportCase,
  releaseReportCase,
  resolveReportCase,
  type SiteRule,
  takeReportCase,
} from '#contract/report-cases.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { announce } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField, TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Cluster } from '#web/ui/layout.tsx'
import { DaysField, RuleField } from './decision-fields.tsx'
import { refreshDesk } from './desk-queries.ts'
import { actionTexts, outcomeTexts } from './desk-texts.ts'
import { daysRules, reasonRules } from './reason-rules.ts'

/** Takes, releases and closes a case. After a conflict with another moderator it shows why, and what is now. */
export function CaseActions({ reportCase: { id, subject_type, taken_by } }: { reportCase: ReportCase }) {
  const client = useQueryClient()
  const { announcement, toasts } = useAppContext()
  const [isClosing, setClosing] = useState(false)
  const me = client.getQueryData(profileQuery.queryKey)?.id
  const isMine = taken_by !== null && taken_by.id === me
  const take = useMutation({
    mutationFn: () => call(client, isMine ? releaseReportCase : takeReportCase, { params: { id } }),
    onSuccess: () => announce(announcement, textOf(actionTexts[isMine ? 'report_released' : 'report_taken'])),
    onError: (error) => toasts.show(errorText(error)),
    onSettled: () => refreshDesk(client),
  })
  return (
    <Cluster gap="2">
      <Button
        variant="secondary"
        size="small"
        busy={take.isPending && t`Saving...`}
        onClick={() => take.mutate()}
      >
        {isMine ? t`release` : t`take`}
      </Button>
      <Button size="small" onClick={() => setClosing(true)}>{t`decide`}</Button>
      {isClosing && <DecisionDialog id={id} subject={subject_type} onClose={() => setClosing(false)} />}
    </Cluster>
  )
}

interface Decision {
  outcome: CaseOutcome
  rule: SiteRule
  reason: string
  days: string
  answer: string
}

function DecisionDialog({
  id,
  subject,
  onClose,
}: {
  id: number
  subject: ReportCase['subject_type']
  onClose: () => void
}) {
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const form = useForm<Decision>({
    defaultValues: { outcome: 'dismiss', rule: 'other', reason: '', days: '', answer: '' },
    reValidateMode: 'onSubmit',
  })
  const outcome = form.watch('outcome')
  const submit = useSubmit(form, {
    async send({ days, answer, ...decision }) {
      const body = {
        ...decision,
        days: days.trim() === '' ? null : Number(days),
        answer: answer || undefined,
      }
      try {
        await call(client, resolveReportCase, { params: { id }, body })
      } finally {
        void refreshDesk(client)
      }
    },
    leave() {
      announce(
        announcement,
        textOf(actionTexts[outcome === 'dismiss' ? 'report_dismissed' : 'report_resolved']),
      )
      onClose()
    },
  })
  const outcomes = caseOutcomes.filter(
    (each) => subject === 'listing' || (each !== 'hide' && each !== 'remove'),
  )
  return (
    <FormDialog
      title={t`close this report`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`save` }}
    >
      <SelectField
        label={t`Action`}
        options={outcomes.map((value) => ({ value, label: textOf(outcomeTexts[value]) }))}
        {...fieldOf(form, 'outcome')}
      />
      {outcome !== 'dismiss' && <RuleField {...fieldOf(form, 'rule')} />}
      {outcome === 'suspend' && <DaysField {...fieldOf(form, 'days', daysRules())} />}
      <TextArea
        label={t`Reason`}
        hint={outcome === 'dismiss' ? t`Only the desk reads it.` : t`The owner reads it too.`}
        {...fieldOf(form, 'reason', reasonRules)}
      />
      <TextArea
        label={t`Answer to the reporters`}
        optional
        {...fieldOf(form, 'answer', { maxLength: reasonRules.maxLength })}
      />
    </FormDialog>
  )
}
