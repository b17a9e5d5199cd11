import { useId } from 'react'
import text from '#web/styles/text.module.css'
import css from './chips.module.css'
import { classNames } from './class-names.ts'
import coverInput from './cover-input.module.css'
import { Icon } from './icon.tsx'

type ChipsProps<Name extends string> = {
  legend: string
  choices: readonly Name[]
  /** Returns the translated name of a choice. */
  labelOf: (choice: Name) => string
  chosen: readonly Name[]
  onPress: (choice: Name) => void
}

type RadioChipsProps<Name extends string> = {
  legend: string
  choices: readonly Name[]
  /** Returns the translated name of a choice. */
  labelOf: (choice: Name) => string
  chosen: Name
  onChoose: (choice: Name) => void
}

/** Radio buttons that look like chips. */
export function RadioChips<Name extends string>({
  legend,
  choices,
  labelOf,
  chosen,
  onChoose,
}: RadioChipsProps<Name>) {
  const name = useId()
  return (
    <fieldset>
      <legend className={text.label}>{legend}</legend>
      <div className={classNames(css.chips, choices.length > 4 && css.threes)}>
        {choices.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              className={coverInput.cover}
              name={name}
              checked={choice === chosen}
              onChange={() => onChoose(choice)}
            />
            {labelOf(choice)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Toggle buttons that look like chips. The selected ones have a tick. */
export function Chips<Name extends string>({ legend, choices, labelOf, chosen, onPress }: ChipsProps<Name>) {
  return (
    <fieldset>
      <legend className={text.label}>{legend}</legend>
      <div className={classNames(css.chips, css.ticked)}>
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={chosen.includes(choice)}
            onClick={() => onPress(choice)}
          >
            {chosen.includes(choice) && <Icon name="check" size={16} />}
            {labelOf(choice)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
