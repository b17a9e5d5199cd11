import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import css from './brought-back.module.css'

type BroughtBackProps = {
  onDiscard: () => void
  /** What can not come back. */
  children?: ReactNode
}

/** Above a form that does not show what is saved, but what was changed on an earlier visit; it can be put away. */
export function BroughtBack({ onDiscard, children }: BroughtBackProps) {
  return (
    <div className={css.note}>
      <p>Your changes from before are back. They are not saved yet. {children}</p>
      <Button variant="quiet" size="small" onClick={onDiscard}>
        discard
      </Button>
    </div>
  )
}
