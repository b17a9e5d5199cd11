import { t } from '@lingui/core/macro'
import { useSelector } from '@tanstack/react-store'
import { PhotoPreview } from '#web/features/images/photo-preview.tsx'
import { isUploaded, type ListedPhoto } from '#web/features/images/photo-state.ts'
import { Progress } from '#web/ui/progress.tsx'
import css from './message-photos.module.css'
import { useMessagePhotos } from './use-message-photos.ts'

type UnsentPhotosProps = { draft: string; isSending: boolean }

/** The photos of an unsent message, and how much of them is uploaded. */
export function UnsentPhotos({ draft, isSending }: UnsentPhotosProps) {
  const { photos } = useSelector(useMessagePhotos(draft).state)
  const uploaded = photos.reduce((sum, photo) => sum + uploadedShare(photo), 0)
  return (
    <div className={css.photos}>
      {photos.map((photo, index) => (
        <span key={photo.key} className={css.unsent}>
          <PhotoPreview photo={photo} alt={t`Photo ${{ number: index + 1 }}`} sizes="160px" />
        </span>
      ))}
      {isSending && <Progress hiddenLabel label={t`Sending photos`} value={uploaded / photos.length || 0} />}
    </div>
  )
}

/** Returns the uploaded share of a photo, from 0 to 1. */
function uploadedShare(photo: ListedPhoto): number {
  if (isUploaded(photo)) return 1
  return photo.isPrepared ? photo.progress : 0
}
