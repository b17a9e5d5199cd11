import type { ChosenPhoto } from '#web/features/images/use-photo.ts'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorNote } from '#web/ui/error-note.tsx'

type PhotoNoteProps = { id: string; photo: ChosenPhoto; hint?: string }

/** Shows the problem of a profile photo, or a hint. */
export function PhotoNote({ id, photo, hint }: PhotoNoteProps) {
  const problem = photo.step === 'none' ? photo.problem : photo.step === 'ready' && photo.warning
  return (
    <div id={id} aria-live="polite">
      {problem ? (
        <ErrorNote>{problem}</ErrorNote>
      ) : (
        photo.step === 'none' &&
        hint !== undefined && <p className={classNames(text.caption, text.muted)}>{hint}</p>
      )}
    </div>
  )
}
