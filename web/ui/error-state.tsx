import { Button } from './button.tsx'
import css from './error-state.module.css'
import { Icon } from './icon.tsx'

/** Stands where something should have come. */
export function ErrorState({ text, onRetry }: { text: string; onRetry?: (() => void) | undefined }) {
  return (
    <div className={css.failed} role="alert">
      <p>
        <Icon name="warn" />
        <span>{text}</span>
      </p>
      {onRetry !== undefined && (
        <Button variant="secondary" size="small" onClick={onRetry}>
          <Icon name="retry" size={18} />
          Try again
        </Button>
      )}
    </div>
  )
}
