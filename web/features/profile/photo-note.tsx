import type { ChosenPhoto } from '#web/features/images/use-photo.ts'
import { ErrorNote } from '#web/ui/error-note.tsx'
import css from './photo-note.module.css'

type PhotoNoteProps = { id: string; photo: ChosenPhoto; hint?: string }

/** Shows the problem of a profile photo, or a hint. */
export function PhotoNote({ id, photo, hint }: PhotoNoteProps) {
  const problem = photo.step === 'none' ? photo.problem : photo.step === 'ready' && photo.warning
  return (
    <div id={id} aria-live="polite">
      {problem ? (
        <ErrorNote>{problem}</ErrorNote>
      ) : (
        photo.step === 'none' && hint !== undefined && <p className={css.hint}>{hint}</p>
      )}
    </div>
  )
}
