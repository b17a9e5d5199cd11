import { Button } from '#web/ui/button.tsx'
import css from './brought-back.module.css'

/** Above a form that does not show what is saved, but what was changed on an earlier visit; it can be put away. */
export function BroughtBack({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className={css.note}>
      <p>Your changes from before are back. They are not saved yet.</p>
      <Button variant="quiet" size="small" onClick={onDiscard}>
        discard
      </Button>
    </div>
  )
}
