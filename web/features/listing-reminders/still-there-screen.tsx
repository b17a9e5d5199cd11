import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { answerReminder, type Reminder, reminderMessages } from '#contract/listing-reminders.ts'
import { errorText, isNotFound } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAction } from '#web/api/use-action.ts'
import { MyListsLink } from '#web/features/auth/my-lists-link.tsx'
import { invalidateListings } from '#web/features/listings/listing-queries.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { dayOf, Time } from '#web/ui/time.tsx'
import { reminderQuery } from './reminder-query.ts'
import css from './still-there-screen.module.css'

const route = getRouteApi('/still-there')

type Answer = NonNullable<Reminder['answer']>

/** Asks the owner, who followed the link of a mail, whether a listing is still there. Only a button changes the listing. */
export function StillThereScreen() {
  const { token } = route.useSearch()
  return (
    <AuthLayout>
      <PageHead title={t`still there?`} />
      <Stack className={classNames(layout.above5, css.note)}>
        {token === undefined ? <NotValid /> : <Question key={token} token={token} />}
      </Stack>
    </AuthLayout>
  )
}

function Question({ token }: { token: string }) {
  const client = useQueryClient()
  const query = reminderQuery(token)
  const reminder = useQuery(query)
  const answering = useAction((answer: Answer) => call(client, answerReminder, { body: { token, answer } }), {
    onSuccess: (answered) => {
      client.setQueryData(query.queryKey, answered)
      void invalidateListings(client)
    },
    onError: () => client.invalidateQueries(query),
  })
  if (isNotFound(reminder.error)) return <NotValid />
  if (reminder.data === undefined)
    return reminder.isError ? (
      <ErrorState text={t`Failed to load data`} onRetry={() => reminder.refetch()} />
    ) : (
      <Loading />
    )
  const { answer } = reminder.data
  const buttonFor = (to: Answer) => ({
    wide: true,
    busy: answering.isPending && answering.variables === to && t`Sending...`,
    'aria-disabled': answering.isPending,
    onClick: (event: MouseEvent) => answering.press(event, to),
  })
  return (
    <>
      <Outcome reminder={reminder.data} />
      {answering.isError && <Banner kind="error">{errorText(answering.error)}</Banner>}
      {answer !== 'still_there' && (
        <Button variant={answer === null ? 'primary' : 'secondary'} {...buttonFor('still_there')}>
          {t`Still there: list it again`}
        </Button>
      )}
      {answer === null && (
        <Button variant="secondary" {...buttonFor('gone')}>
          {t`It’s gone`}
        </Button>
      )}
      {answer === 'still_there' && (
        <ButtonLink wide to="/listings/$id" params={{ id: String(reminder.data.listing_id) }}>
          {t`See the listing`}
        </ButtonLink>
      )}
    </>
  )
}

function Outcome({ reminder }: { reminder: Reminder }) {
  const { title, expires_at, is_expired, answer, is_answered_already } = reminder
  if (answer === 'gone')
    return (
      <Banner kind="success">
        {is_answered_already ? (
          <Trans>
            “<bdi>{title}</bdi>” is marked as gone already. Thank you.
          </Trans>
        ) : (
          <Trans>
            “<bdi>{title}</bdi>” is marked as gone. Thank you.
          </Trans>
        )}
      </Banner>
    )
  const day = <Time isDay at={expires_at} format={dayOf} />
  const until = is_expired ? (
    <Trans>
      “<bdi>{title}</bdi>” was listed until {day}.
    </Trans>
  ) : (
    <Trans>
      “<bdi>{title}</bdi>” is listed until {day}.
    </Trans>
  )
  if (answer !== 'still_there') return <p className={css.question}>{until}</p>
  return (
    <Banner kind="success">
      {is_answered_already && !is_expired ? (
        <Trans>
          “<bdi>{title}</bdi>” is listed again already, until {day}.
        </Trans>
      ) : (
        until
      )}
    </Banner>
  )
}

function NotValid() {
  return (
    <>
      <Banner kind="error">{translateMessage(reminderMessages.linkInvalid)}</Banner>
      <p>{t`What has ended is among your own listings, where you can list it again.`}</p>
      <MyListsLink />
    </>
  )
}
