import css from './chips.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

type ChipsProps<Name extends string> = {
  legend: string
  choices: readonly Name[]
  chosen: readonly Name[]
  onPress: (choice: Name) => void
  /** Where several may be on, those that are carry a tick. */
  several?: boolean
}

export function Chips<Name extends string>({
  legend,
  choices,
  chosen,
  onPress,
  several = false,
}: ChipsProps<Name>) {
  return (
    <fieldset className={css.field}>
      <legend>{legend}</legend>
      <div className={classNames(css.chips, several && css.ticked, choices.length > 4 && css.threes)}>
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={chosen.includes(choice)}
            onClick={() => onPress(choice)}
          >
            {several && chosen.includes(choice) && <Icon name="check" size={16} />}
            {choice}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
