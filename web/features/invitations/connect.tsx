import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useStoredLogin } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { CopyLinkDialog } from '#web/ui/copy-link-dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import css from './connect.module.css'
import { invitationLinkQuery } from './invitation-link.ts'
import { QrDialog } from './qr-dialog.tsx'
import { ReplaceLink } from './replace-link.tsx'

/** Links and buttons to share the member's profile by QR code, link or e-mail. Without `mail` it follows the rule of a title. */
export function Connect({ mail = false }: { mail?: boolean }) {
  const me = useStoredLogin()?.user
  const [open, setOpen] = useState<'code' | 'link'>()
  if (me === undefined) return null
  const close = () => setOpen(undefined)
  return (
    <>
      <ul className={classNames(mail && layout.ruleAbove, css.connect)}>
        {mail && (
          <li>
            <Link to="/friend-search">
              <Icon name="search" />
              <span>{t`Search members`}</span>
              <Icon name="next" size={18} />
            </Link>
          </li>
        )}
        <li>
          <button type="button" onClick={() => setOpen('code')}>
            <Icon name="qr" />
            <span>{t`Use QR Code`}</span>
            <Icon name="next" size={18} />
          </button>
        </li>
        <li>
          <button type="button" onClick={() => setOpen('link')}>
            <Icon name="link" />
            <span>{t`Share your profile with a link`}</span>
            <Icon name="next" size={18} />
          </button>
        </li>
        {mail && (
          <li>
            <Link to="/invite-your-friends" search={{ from: 'friends' }}>
              <Icon name="mail" />
              <span>{t`Invite a neighbor by e-mail`}</span>
              <Icon name="next" size={18} />
            </Link>
          </li>
        )}
      </ul>
      {open === 'code' && <QrDialog owner={me} onClose={close} />}
      {open === 'link' && <ProfileLinkDialog username={me.username} onClose={close} />}
    </>
  )
}

function ProfileLinkDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const { data, isError } = useQuery(invitationLinkQuery)
  return (
    <CopyLinkDialog
      title={t`Share your profile link`}
      link={data?.url}
      linkLabel={t`Your link`}
      subject={`@${username}`}
      error={isError && data === undefined ? t`Failed to load data` : undefined}
      onClose={onClose}
    >
      <ReplaceLink />
    </CopyLinkDialog>
  )
}
