import { t } from '@lingui/core/macro'
import { Button } from './button.tsx'
import css from './error-state.module.css'
import { Icon } from './icon.tsx'
import { Stack } from './layout.tsx'

type ErrorStateProps = { text: string; retry?: string; onRetry?: (() => void) | undefined }

/** Shown instead of content that could not be loaded. */
export function ErrorState({ text, retry = t`Try again`, onRetry }: ErrorStateProps) {
  return (
    <Stack align="start" className={css.failed} role="alert">
      <p>
        <Icon name="warn" />
        <span>{text}</span>
      </p>
      {onRetry !== undefined && (
        <Button variant="secondary" size="small" onClick={onRetry}>
          <Icon name="retry" size={18} />
          {retry}
        </Button>
      )}
    </Stack>
  )
}
