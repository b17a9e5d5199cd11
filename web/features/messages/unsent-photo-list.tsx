import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { FileImage } from './composer-photos.tsx'
import css from './message-photos.module.css'
import { useOutbox } from './outbox.ts'
import type { Unsent } from './unsent-messages.ts'
import type { KeyedFile } from './unsent-photos.ts'

/** The photos of an unsent message, and how much of them is sent. */
export function UnsentPhotos({ message }: { message: Unsent }) {
  const outbox = useOutbox()
  const share = useSelector(outbox.progress, (shares) => shares[message.client_id])
  const [files, setFiles] = useState<readonly KeyedFile[]>([])
  useEffect(() => {
    let isShown = true
    outbox.photosOf(message).then((stored) => isShown && setFiles(stored))
    return () => {
      isShown = false
    }
  }, [outbox, message])
  return (
    <div className={css.photos}>
      {files.map(({ key, file }, index) => (
        <FileImage key={key} file={file} alt={`Photo ${index + 1}`} />
      ))}
      {share !== undefined && message.state === 'sending' && (
        <progress value={share} aria-label="Sending photos" />
      )}
    </div>
  )
}
