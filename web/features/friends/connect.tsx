import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
import { CopyLinkDialog } from '#web/ui/copy-link-dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import css from './connect.module.css'
import { profileLink } from './profile-link.ts'
import { QrDialog } from './qr-dialog.tsx'

/** The ways to hand one's profile to a neighbor. */
export function Connect({ mail = false }: { mail?: boolean }) {
  const me = useStoredLogin()?.user
  const [open, setOpen] = useState<'code' | 'link'>()
  if (me === undefined) return null
  const close = () => setOpen(undefined)
  return (
    <>
      <ul className={css.connect}>
        <li>
          <button type="button" onClick={() => setOpen('code')}>
            <Icon name="qr" />
            <span>Use QR Code</span>
            <Icon name="next" size={18} />
          </button>
        </li>
        <li>
          <button type="button" onClick={() => setOpen('link')}>
            <Icon name="link" />
            <span>Share your profile with a link</span>
            <Icon name="next" size={18} />
          </button>
        </li>
        {mail && (
          <li>
            <Link to="/invite-your-friends">
              <Icon name="mail" />
              <span>Invite a neighbor by e-mail</span>
              <Icon name="next" size={18} />
            </Link>
          </li>
        )}
      </ul>
      {open === 'code' && <QrDialog owner={me} onClose={close} />}
      {open === 'link' && (
        <CopyLinkDialog
          title="Share your profile link"
          link={profileLink(me.id)}
          linkLabel="Your link"
          subject={`@${me.username}`}
          onClose={close}
        />
      )}
    </>
  )
}
