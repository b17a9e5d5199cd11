import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ThankYou } from '#contract/trades.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useAction } from '#web/api/use-action.ts'
import { MemberLink } from '#web/features/members/member-link.tsx'
import { LazyReportDialog } from '#web/features/reports/report-button.tsx'
import { useStoredLogin } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Row } from '#web/ui/layout.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { Time, timeAgo } from '#web/ui/time.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './thanks-list.module.css'
import { thanksQuery } from './trade-queries.ts'
import { hideThankYou } from './trade-steps.ts'

/** Lists the thank-yous to a member, newest first. */
export function ThanksList({ memberId }: { memberId: number }) {
  const thanks = useInfiniteList(thanksQuery(memberId))
  return (
    <PagedList
      list={thanks}
      skeleton={<RowsSkeleton count={3} />}
      empty={<p className={text.none}>{t`No thank-yous yet.`}</p>}
      failure={t`Failed to load data`}
      of={t`thank-yous`}
    >
      {(items) => (
        <ul>
          {items.map((thankYou) => (
            <ThankYouRow key={thankYou.id} thankYou={thankYou} />
          ))}
        </ul>
      )}
    </PagedList>
  )
}

/** A thank-you with a menu. The member who wrote it has none. */
function ThankYouRow({
  thankYou: { id, author, receiver_id, text: words, listing_title, created_at },
}: {
  thankYou: ThankYou
}) {
  const me = useStoredLogin()?.user.id
  const [open, setOpen] = useState<'report' | 'hide'>()
  const close = () => setOpen(undefined)
  const member = <MemberLink id={author.id} name={author.username} />
  const time = <Time isDay at={created_at} format={timeAgo} />
  return (
    <Row as="li" className={classNames(layout.listItem, css.thankYou)}>
      <Avatar id={author.id} name={author.username} picture={author.profile_picture} />
      <div className={layout.grow}>
        <blockquote dir="auto">{words}</blockquote>
        <p className={classNames(text.muted, css.by)}>
          {listing_title === null ? (
            <Trans>
              {member}, {time}
            </Trans>
          ) : (
            <Trans>
              {member} for <span dir="auto">{listing_title}</span>, {time}
            </Trans>
          )}
        </p>
      </div>
      {author.id !== me && (
        <Menu small label={t`Thank-you of ${{ username: author.username }}`}>
          {receiver_id === me && (
            <MenuItem icon="hide" onClick={() => setOpen('hide')}>
              {t`hide`}
            </MenuItem>
          )}
          <MenuItem icon="warn" onClick={() => setOpen('report')}>
            {t`report`}
          </MenuItem>
        </Menu>
      )}
      {open === 'report' && <LazyReportDialog about={{ thanks_id: id }} onClose={close} />}
      {open === 'hide' && <HideDialog id={id} onClose={close} />}
    </Row>
  )
}

function HideDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const hiding = useAction(async () => {
    await hideThankYou(client, id)
    toasts.show(t`Thank-you hidden`)
    onClose()
  })
  return (
    <ConfirmDialog
      title={t`hide this thank-you?`}
      action={t`hide`}
      busy={hiding.isPending && t`Saving...`}
      error={hiding.failure}
      onConfirm={() => hiding.mutate()}
      onClose={onClose}
    >
      {t`Nobody sees it any more. It can not be shown again.`}
    </ConfirmDialog>
  )
}
