import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import text from '#web/styles/text.module.css'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { isPlainClick } from '#web/ui/plain-click.ts'
import { saveAsFile } from '#web/ui/save-as-file.ts'
import { canShare, share } from '#web/ui/share-sheet.ts'
import { invitationLinkQuery } from './invitation-link.ts'
import css from './qr-dialog.module.css'
import { ReplaceLink } from './replace-link.tsx'

interface Owner {
  readonly id: number
  readonly username: string
}

export function QrDialog({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const { data: invitation, isError } = useQuery(invitationLinkQuery)
  const link = invitation?.url ?? ''
  const code = useQuery({
    queryKey: ['qr', link],
    queryFn: async () => (await import('./qr-image.ts')).drawQrCode(link),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: link !== '',
  })

  return (
    <Dialog
      title={t`Share your QR code`}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="secondary"
            disabled={code.data === undefined}
            onClick={async () => saveAsFile(fileName(owner), await imageOf(code.data))}
          >
            {t`Download`}
          </Button>
          {canShare() ? (
            <Button disabled={code.data === undefined} onClick={() => shareCode(owner, link, code.data)}>
              <Icon name="share" size={20} />
              {t`Share`}
            </Button>
          ) : (
            <Button onClick={onClose}>{t`Done`}</Button>
          )}
        </>
      }
    >
      <Stack align="center" className={css.qr}>
        {isError && link === '' && <Banner kind="error">{t`Failed to load data`}</Banner>}
        {code.isError && <Banner kind="error">{t`An error occurred`}</Banner>}
        <div className={css.code}>
          {code.data !== undefined && (
            <Link
              to="/seller/$id"
              params={{ id: String(owner.id) }}
              onClick={(event) => isPlainClick(event) && onClose()}
            >
              <img src={code.data} alt={t`QR code of your profile link`} width={200} height={200} />
            </Link>
          )}
        </div>
        <p className={classNames(text.caption, text.muted, text.centered)}>
          {t`A neighbor who scans it comes to your profile.`}
        </p>
        <ReplaceLink />
      </Stack>
    </Dialog>
  )
}

function fileName({ username }: Owner): string {
  return `rhubarb-${username}.png`
}

async function imageOf(dataUrl = ''): Promise<Blob> {
  // The content security policy forbids fetching a `data:` URL.
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (letter) =>
    letter.charCodeAt(0),
  )
  return new Blob([bytes], { type: 'image/png' })
}

/** Shares the link, with the picture if the browser can share files. */
async function shareCode(owner: Owner, url: string, dataUrl: string | undefined) {
  const text = { title: `@${owner.username}`, url }
  const files = [new File([await imageOf(dataUrl)], fileName(owner), { type: 'image/png' })]
  await share(navigator.canShare?.({ ...text, files }) ? { ...text, files } : text)
}
