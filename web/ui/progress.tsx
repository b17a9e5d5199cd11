import css from './progress.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type ProgressProps = {
  label: string
  /** Hides the label visually. */
  hiddenLabel?: boolean
  /** The done share, from 0 to 1. */
  value: number
}

export function Progress({ label, hiddenLabel = false, value }: ProgressProps) {
  return (
    <label className={css.progress}>
      {hiddenLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      <progress value={value} />
    </label>
  )
}
