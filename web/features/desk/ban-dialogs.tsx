import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addBan, type BanKind, banKinds, liftBan } from '#contract/bans.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { textOf } from '#web/i18n/i18n.ts'
import text from '#web/styles/text.module.css'
import { announce } from '#web/ui/announcements.ts'
import { SelectField, TextArea, TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { DaysField } from './decision-fields.tsx'
import { refreshDesk } from './desk-queries.ts'
import { actionTexts, banKindTexts } from './desk-texts.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { daysRules, reasonRules } from './reason-rules.ts'

interface BanDialogProps {
  /** The address or domain to ban. Without it, the operator writes it. */
  preset?: { readonly kind: BanKind; readonly value: string }
  onClose: () => void
}

/** Bans an address or a mail domain from registering. */
export function BanDialog({ preset, onClose }: BanDialogProps) {
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const form = useForm({
    defaultValues: { kind: preset?.kind ?? 'domain', value: preset?.value ?? '', reason: '', days: '' },
    reValidateMode: 'onSubmit',
  })
  const submit = useSubmit(form, {
    async send({ days, ...body }) {
      try {
        await call(client, addBan, { body: { ...body, days: days.trim() === '' ? null : Number(days) } })
      } finally {
        void refreshDesk(client)
      }
    },
    leave() {
      announce(announcement, textOf(actionTexts.ban_added))
      onClose()
    },
  })
  return (
    <FormDialog
      title={preset ? t`ban ${{ name: preset.value }}` : t`ban an address or a domain`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`ban`, variant: 'dangerSolid' }}
    >
      <p>{t`Nobody registers from it any more. Members who exist stay.`}</p>
      {preset === undefined && (
        <>
          <SelectField
            label={t`Kind`}
            options={banKinds.map((value) => ({ value, label: textOf(banKindTexts[value]) }))}
            {...fieldOf(form, 'kind')}
          />
          <TextField
            label={t`Address or domain`}
            hint={t`A domain includes its subdomains.`}
            autoCapitalize="none"
            {...fieldOf(form, 'value', { required: t`Please write what to ban` })}
          />
        </>
      )}
      <TextArea
        label={t`Reason`}
        hint={t`Only the desk reads it.`}
        {...fieldOf(form, 'reason', reasonRules)}
      />
      <DaysField {...fieldOf(form, 'days', daysRules())} />
    </FormDialog>
  )
}

/** Lifts a ban. */
export function LiftBanDialog({ ban, onClose }: { ban: { id: number; value: string }; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <ReasonDialog
      title={t`lift the ban`}
      label={t`lift the ban`}
      hint={t`Only the desk reads it.`}
      done={textOf(actionTexts.ban_lifted)}
      send={(body) => call(client, liftBan, { params: { id: ban.id }, body })}
      onClose={onClose}
    >
      <p className={text.breakable}>
        <bdi>{ban.value}</bdi>
      </p>
    </ReasonDialog>
  )
}
