import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import layout from '#web/styles/layout.module.css'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Page } from '#web/ui/page.tsx'
import { MailPreview } from './mail-preview.tsx'
import css from './mail-screen.module.css'

type MailScreenProps = {
  title: string
  back: ReactNode
  mail: UseQueryResult<{ subject: string; html: string }>
  /** The text above the mail. Its subject follows. */
  about: string
  /** The accessible name of the preview. */
  label: string
}

/** Shows a preview of a mail that Rhubarb sends. */
export function MailScreen({ title, back, mail, about, label }: MailScreenProps) {
  return (
    <Page column>
      <MemberHead title={title} back={back} />
      {mail.isPending && (
        <div className={layout.above5}>
          <Loading />
        </div>
      )}
      {mail.isError && <ErrorState text={t`Failed to load data`} onRetry={() => mail.refetch()} />}
      {mail.data !== undefined && (
        <>
          <p className={css.about}>
            {about}{' '}
            <Trans>
              Subject: <b dir="auto">{mail.data.subject}</b>
            </Trans>
          </p>
          <MailPreview html={mail.data.html} label={label} />
        </>
      )}
    </Page>
  )
}
