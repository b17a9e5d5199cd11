import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  dropJobs,
  type MailQueue,
  type QueuedJob,
  queuedStates,
  retryJobs,
  sendTestMail,
} from '#contract/mail-queue.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { formatNumber } from '#web/i18n/formats.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { announce } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Form, fieldOf } from '#web/ui/form.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { DeskMemberLink } from './desk-member-link.tsx'
import { DeskPage } from './desk-page.tsx'
import { mailQueueQuery, refreshDesk } from './desk-queries.ts'
import { actionTexts, queueTexts } from './desk-texts.ts'
import css from './figures.module.css'

/** The job queue with what failed, the addresses that get no mail, and a test mail. */
export function MailScreen() {
  const queue = useQuery(mailQueueQuery)
  return (
    <DeskPage>
      <TestMail />
      {queue.isPending && <RowsSkeleton />}
      {queue.isError && queue.data === undefined && (
        <ErrorState text={t`Failed to load data`} onRetry={() => void queue.refetch()} />
      )}
      {queue.data && (
        <>
          <Counts counts={queue.data.counts} />
          <FailedJobs jobs={queue.data.failed} />
          <Retrying jobs={queue.data.retrying} />
          <Refused queue={queue.data} />
          <Unconfirmed unconfirmed={queue.data.unconfirmed} />
        </>
      )}
    </DeskPage>
  )
}

function TestMail() {
  const client = useQueryClient()
  const form = useForm({ defaultValues: { email: '' }, reValidateMode: 'onSubmit' })
  const [sent, setSent] = useState('')
  const submit = useSubmit(form, {
    send: (body) => call(client, sendTestMail, { body }),
    async leave({ message }) {
      setSent(translateMessage(message))
      form.reset()
      await refreshDesk(client)
    },
  })
  const { isSubmitting } = form.formState
  return (
    <Form form={form} onSubmit={submit} gap="3" align="start" className={layout.above5}>
      <TextField
        label={t`Send a test mail to`}
        type="email"
        autoComplete="email"
        {...fieldOf(form, 'email')}
      />
      <Button type="submit" variant="secondary" busy={isSubmitting && t`Sending...`}>{t`send`}</Button>
      <p role="status">{sent}</p>
    </Form>
  )
}

/** The states of the queue with the time since which their oldest job waits, and the kinds of jobs in them. */
function Counts({ counts }: { counts: MailQueue['counts'] }) {
  return (
    <Stack as="section" gap="2" className={layout.section} aria-labelledby="queue">
      <SectionTitle id="queue">{t`Jobs`}</SectionTitle>
      {counts.length === 0 ? (
        <p className={text.none}>{t`Nothing waits.`}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
        <section className={css.scroller} tabIndex={0} aria-label={t`Number of jobs`}>
          <table className={css.table} aria-labelledby="queue">
            <thead>
              <tr>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Kind`}</th>
                <th scope="col">{t`Number`}</th>
                <th scope="col">{t`The oldest`}</th>
              </tr>
            </thead>
            <tbody>
              {queuedStates.flatMap((state) =>
                counts
                  .filter((row) => row.state === state)
                  .map(({ kind, count, oldest_at }) => (
                    <tr key={`${state} ${kind}`}>
                      <th scope="row">{textOf(queueTexts[state])}</th>
                      <td>
                        <bdi>{kind}</bdi>
                      </td>
                      <td>{formatNumber(count)}</td>
                      <td>
                        <Time at={oldest_at} format={shortTime} />
                      </td>
                    </tr>
                  )),
              )}
            </tbody>
          </table>
        </section>
      )}
    </Stack>
  )
}

/** Jobs that failed for good, each or all to be tried again or dropped. */
function FailedJobs({ jobs }: { jobs: readonly QueuedJob[] }) {
  const [dropped, setDropped] = useState<{ id?: string } | undefined>()
  const retry = useChange(retryJobs)
  return (
    <Stack as="section" gap="2" className={layout.section} aria-labelledby="failed">
      <SectionTitle id="failed">{t`Failed for good`}</SectionTitle>
      {jobs.length === 0 && <p className={text.none}>{t`No job has failed for good.`}</p>}
      <ul>
        {jobs.map((job) => (
          <Job key={job.id} job={job}>
            <Cluster gap="2">
              <Button
                variant="secondary"
                size="small"
                busy={retry.isPending && retry.variables.id === job.id && t`Saving...`}
                onClick={() => retry.mutate({ id: job.id })}
              >{t`retry`}</Button>
              <Button
                variant="quiet"
                size="small"
                onClick={() => setDropped({ id: job.id })}
              >{t`drop`}</Button>
            </Cluster>
          </Job>
        ))}
      </ul>
      {jobs.length > 1 && (
        <Cluster gap="2">
          <Button
            variant="secondary"
            size="small"
            busy={retry.isPending && retry.variables.id === undefined && t`Saving...`}
            onClick={() => retry.mutate({})}
          >{t`retry all`}</Button>
          <Button variant="quiet" size="small" onClick={() => setDropped({})}>{t`drop all`}</Button>
        </Cluster>
      )}
      {dropped && <DropDialog jobs={dropped} onClose={() => setDropped(undefined)} />}
    </Stack>
  )
}

function DropDialog({ jobs, onClose }: { jobs: { id?: string }; onClose: () => void }) {
  const drop = useChange(dropJobs, onClose)
  return (
    <ConfirmDialog
      title={jobs.id === undefined ? t`Drop all failed jobs?` : t`Drop this job?`}
      action={t`drop`}
      busy={drop.isPending && t`Saving...`}
      error={drop.error ? errorText(drop.error) : undefined}
      onConfirm={() => drop.mutate(jobs)}
      onClose={onClose}
    >
      {t`Its work is not done any more: a mail is not sent.`}
    </ConfirmDialog>
  )
}

/** A change of one failed job, or of all. */
function useChange(endpoint: typeof retryJobs | typeof dropJobs, onDone?: () => void) {
  const client = useQueryClient()
  const { announcement, toasts } = useAppContext()
  return useMutation({
    mutationFn: (body: { id?: string }) => call(client, endpoint, { body }),
    onSuccess() {
      announce(announcement, textOf(actionTexts[endpoint === retryJobs ? 'jobs_retried' : 'jobs_dropped']))
      onDone?.()
    },
    onError: (error) => {
      if (!onDone) toasts.show(errorText(error))
    },
    onSettled: () => refreshDesk(client),
  })
}

function Retrying({ jobs }: { jobs: readonly QueuedJob[] }) {
  if (jobs.length === 0) return null
  return (
    <Stack as="section" gap="2" className={layout.section} aria-labelledby="retrying">
      <SectionTitle id="retrying">{t`Tried again after an error`}</SectionTitle>
      <ul>
        {jobs.map((job) => (
          <Job key={job.id} job={job} />
        ))}
      </ul>
    </Stack>
  )
}

function Job({
  job: { kind, tries, at, error, member },
  children,
}: {
  job: QueuedJob
  children?: ReactNode
}) {
  return (
    <Stack as="li" gap="1" align="start" className={classNames(layout.listItem, text.breakable)}>
      <p>
        <bdi>{kind}</bdi>
        {member !== null && (
          <>
            {' · '}
            {member.username === null ? (
              t`someone who has left`
            ) : (
              <DeskMemberLink id={member.id}>
                <bdi>{member.username}</bdi>
              </DeskMemberLink>
            )}
          </>
        )}
      </p>
      {error !== null && <p dir="auto">{error}</p>}
      <p className={text.muted}>
        {plural(tries, { one: '# attempt', other: '# attempts' })} · <Time at={at} format={shortTime} />
      </p>
      {children}
    </Stack>
  )
}

function Refused({ queue: { refused, refused_invitations: invitations } }: { queue: MailQueue }) {
  return (
    <Stack as="section" gap="2" className={layout.section} aria-labelledby="refused">
      <SectionTitle id="refused">{t`Addresses that take no mail`}</SectionTitle>
      {refused.length === 0 ? (
        <p className={text.none}>{t`No mailbox has refused a mail.`}</p>
      ) : (
        <p className={text.muted}>
          {t`They get nothing until their members confirm an address. Members read that at their next visit.`}
        </p>
      )}
      <ul>
        {refused.map(({ address, username, refused_at }) => (
          <li key={`${address} ${refused_at}`} className={classNames(layout.listItem, text.breakable)}>
            <bdi>{address}</bdi> · <bdi>{username}</bdi> · <Time at={refused_at} format={shortTime} />
          </li>
        ))}
      </ul>
      {invitations > 0 && (
        <p>
          {plural(
            { count: invitations },
            { one: '# invitation was refused too.', other: '# invitations were refused too.' },
          )}
        </p>
      )}
    </Stack>
  )
}

function Unconfirmed({ unconfirmed: { count, members } }: { unconfirmed: MailQueue['unconfirmed'] }) {
  return (
    <Stack as="section" gap="2" className={layout.section} aria-labelledby="unconfirmed">
      <SectionTitle id="unconfirmed">{t`Waiting for a confirmation`}</SectionTitle>
      <p className={text.muted}>
        {plural(
          { count },
          {
            one: '# member has not confirmed their address.',
            other: '# members have not confirmed their address.',
          },
        )}
      </p>
      <ul>
        {members.map(({ id, username, registered_at, asked_at, waiting }) => (
          <li key={id} className={classNames(layout.listItem, text.breakable)}>
            <p>
              <DeskMemberLink id={id}>
                <bdi>{username}</bdi>
              </DeskMemberLink>{' '}
              · {t`registered`} <Time at={registered_at} format={shortTime} />
            </p>
            <p className={text.muted}>
              {asked_at === null ? (
                t`No confirmation mail was sent.`
              ) : (
                <>
                  {t`asked`} <Time at={asked_at} format={shortTime} />
                </>
              )}
              {waiting > 0 && ` · ${plural(waiting, { one: '# mail waits', other: '# mails wait' })}`}
            </p>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
