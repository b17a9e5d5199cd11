import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Credentials } from '#contract/auth.ts'
import { limits } from '#contract/constants.ts'
import { reasonTooLong } from '#contract/desk.ts'
import { siteRules } from '#contract/report-cases.ts'
import { appealSuspension, type Suspension, suspensionMessages } from '#contract/suspensions.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Form, fieldOf } from '#web/ui/form.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { dayOf, Time } from '#web/ui/time.tsx'

interface SuspensionNoteProps {
  suspension: Suspension
  credentials: Credentials
}

/** Shows a suspended member why and until when, lets them appeal once, and shows the answer. */
export function SuspensionNote({ suspension, credentials }: SuspensionNoteProps) {
  const { rule, reason, ends_at, may_appeal, appeal_answer } = suspension
  const [isSent, setSent] = useState(false)
  if (rule === null) return null
  return (
    <Stack as="section" gap="3" className={layout.above5} aria-labelledby="suspension">
      <h2 id="suspension" className={text.subheading}>{t`Why it is suspended`}</h2>
      <p>{translateMessage(siteRules[rule])}</p>
      {reason && <p dir="auto">{reason}</p>}
      <p>
        {ends_at === null ? (
          t`The suspension has no end.`
        ) : (
          <Time at={ends_at} isDay format={(at) => t`It ends on ${{ day: dayOf(at) }}.`} />
        )}
      </p>
      {appeal_answer && (
        <>
          <p>{t`We have read what you wrote. The suspension stays, because:`}</p>
          <p dir="auto">{appeal_answer}</p>
        </>
      )}
      {may_appeal && !isSent && <AppealForm credentials={credentials} onSent={() => setSent(true)} />}
      {!appeal_answer && (isSent || !may_appeal) && (
        <p tabIndex={-1} ref={isSent ? focusOn : undefined}>
          {translateMessage(isSent ? suspensionMessages.appealed : suspensionMessages.appealedAlready)}
        </p>
      )}
    </Stack>
  )
}

const focusOn = (element: HTMLElement | null) => element?.focus()

function AppealForm({
  credentials,
  onSent,
}: Pick<SuspensionNoteProps, 'credentials'> & { onSent: () => void }) {
  const client = useQueryClient()
  const form = useForm({ defaultValues: { text: '' }, reValidateMode: 'onSubmit' })
  const submit = useSubmit(form, {
    send: (body) => call(client, appealSuspension, { body: { ...credentials, ...body } }),
    leave: onSent,
  })
  return (
    <Form form={form} onSubmit={submit}>
      <TextArea
        label={t`Why is that a mistake?`}
        hint={t`You can write to us once.`}
        {...fieldOf(form, 'text', {
          required: suspensionMessages.appealNeeded,
          maxLength: { value: limits.report.max, message: reasonTooLong },
        })}
      />
      <Button type="submit" variant="secondary" busy={form.formState.isSubmitting && t`Sending...`}>
        {t`send`}
      </Button>
    </Form>
  )
}
