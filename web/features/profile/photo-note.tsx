import type { Photo } from '#web/features/images/use-photo.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './photo-note.module.css'

type PhotoNoteProps = { id: string; photo: Photo; hint?: string }

/** Shows the problem of a profile photo, or a hint. */
export function PhotoNote({ id, photo, hint }: PhotoNoteProps) {
  const problem = photo.step === 'none' ? photo.problem : photo.step === 'ready' && photo.warning
  return (
    <div id={id} aria-live="polite">
      {problem ? (
        <p className={css.error}>
          <Icon name="warn" size={16} />
          <span>{problem}</span>
        </p>
      ) : (
        photo.step === 'none' && hint !== undefined && <p className={css.hint}>{hint}</p>
      )}
    </div>
  )
}
