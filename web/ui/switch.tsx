import { classNames } from './class-names.ts'
import coverInput from './cover-input.module.css'
import css from './switch.module.css'

type SwitchProps = {
  label: string
  /** The accessible name, if it is not the label. */
  name?: string
  checked: boolean
  /** True while a change is being saved. The switch ignores presses then. */
  pending?: boolean
  onChange: (checked: boolean) => void
}

/** A switch that shows `checked`. A press calls `onChange` only. */
export function Switch({ label, name = label, checked, pending = false, onChange }: SwitchProps) {
  return (
    <label className={classNames(css.switch, pending && css.pending)}>
      <input
        type="checkbox"
        className={coverInput.cover}
        role="switch"
        aria-label={name}
        checked={checked}
        aria-checked={checked}
        aria-disabled={pending}
        onChange={(event) => {
          if (!pending) onChange(event.currentTarget.checked)
        }}
      />
      <span className={css.track} />
      <span className={css.text}>{label}</span>
    </label>
  )
}
