import { t } from '@lingui/core/macro'
import css from './loading.module.css'

/** Shows that data is loading, on screens without a skeleton. */
export function Loading({ text = t`Loading...` }: { text?: string }) {
  return (
    <p role="status" className={css.loading}>
      {text}
    </p>
  )
}
