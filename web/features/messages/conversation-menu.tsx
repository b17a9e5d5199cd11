import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { PublicMember } from '#contract/members.ts'
import { BlockDialog } from '#web/features/members/block-button.tsx'
import { LazyReportDialog } from '#web/features/reports/report-button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

type ConversationMenuProps = { member: Pick<PublicMember, 'id' | 'username'>; hasBlockedMember: boolean }

/** The menu of a conversation: report and block. The button that unblocks is below the messages. */
export function ConversationMenu({ member, hasBlockedMember }: ConversationMenuProps) {
  const [open, setOpen] = useState<'report' | 'block'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu label={t`More`}>
        <MenuItem icon="warn" onClick={() => setOpen('report')}>
          {t`report`}
        </MenuItem>
        {!hasBlockedMember && (
          <MenuItem icon="lock" danger onClick={() => setOpen('block')}>
            {t`block`}
          </MenuItem>
        )}
      </Menu>
      {open === 'report' && <LazyReportDialog about={{ user_id: member.id }} onClose={close} />}
      {open === 'block' && <BlockDialog member={member} onClose={close} />}
    </>
  )
}
