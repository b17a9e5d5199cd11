import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  approveRegistration,
  type RegistrationRequest,
  refuseRegistration,
} from '#contract/registration-requests.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { announce } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { dayOf, Time } from '#web/ui/time.tsx'
import { refreshDesk, registrationRequestsQuery } from './desk-queries.ts'
import { actionTexts } from './desk-texts.ts'
import { reasonRules } from './reason-rules.ts'

/** Lists people who have registered on a site by approval, to let them in or refuse them. */
export function RegistrationRequests() {
  const { data: requests = [] } = useQuery(registrationRequestsQuery)
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const [refused, setRefused] = useState<RegistrationRequest>()
  const approve = useMutation({
    mutationFn: (id: number) => call(client, approveRegistration, { params: { id } }),
    onSuccess: () => announce(announcement, textOf(actionTexts.registration_approved)),
    onSettled: () => refreshDesk(client),
  })
  const failure = approve.error ? errorText(approve.error) : undefined
  if (requests.length === 0) return failure && <ActionFailure>{failure}</ActionFailure>
  return (
    <Stack as="section" gap="3" className={layout.section} aria-labelledby="registration-requests">
      <SectionTitle id="registration-requests">{t`They wait to be let in`}</SectionTitle>
      <ActionFailure>{failure}</ActionFailure>
      <ul>
        {requests.map((request) => (
          <Stack
            as="li"
            key={request.id}
            gap="2"
            align="start"
            className={classNames(layout.listItem, text.breakable)}
          >
            <Who {...request} />
            <Cluster gap="2">
              <Button
                variant="secondary"
                size="small"
                aria-label={t`let in ${{ name: request.username }}`}
                busy={approve.isPending && approve.variables === request.id && t`Saving...`}
                onClick={() => approve.mutate(request.id)}
              >
                {t`let in`}
              </Button>
              <Button
                variant="quiet"
                size="small"
                aria-label={t`refuse ${{ name: request.username }}`}
                onClick={() => setRefused(request)}
              >
                {t`refuse`}
              </Button>
            </Cluster>
          </Stack>
        ))}
      </ul>
      {refused && <RefusalDialog request={refused} onClose={() => setRefused(undefined)} />}
    </Stack>
  )
}

function Who({ username, first_name, last_name, email, created_at }: RegistrationRequest) {
  return (
    <div>
      <p>
        <bdi>{username}</bdi>
      </p>
      <p dir="auto">
        {first_name} {last_name}
      </p>
      <p className={text.muted}>
        <bdi>{email}</bdi> · <Time at={created_at} format={dayOf} />
      </p>
    </div>
  )
}

/** Asks for the reason of a refusal, which is in its mail. */
function RefusalDialog({ request, onClose }: { request: RegistrationRequest; onClose: () => void }) {
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const form = useForm({ defaultValues: { reason: '' }, reValidateMode: 'onSubmit' })
  const submit = useSubmit(form, {
    async send(body) {
      try {
        await call(client, refuseRegistration, { params: { id: request.id }, body })
      } finally {
        void refreshDesk(client)
      }
    },
    leave() {
      announce(announcement, textOf(actionTexts.registration_refused))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t`refuse ${{ name: request.username }}`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: t`refuse`, variant: 'dangerSolid' }}
    >
      <p>{t`They get a mail, and what they have entered is deleted.`}</p>
      <TextArea
        label={t`Reason`}
        optional
        hint={t`It is in the mail. The audit log keeps it.`}
        {...fieldOf(form, 'reason', { ...reasonRules, required: false })}
      />
    </FormDialog>
  )
}
