import type { CategoryId } from '#contract/constants.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { categoryChoices, categoryId } from './categories.ts'
import css from './category-buttons.module.css'

type CategoryButtonsProps = {
  /** The id of a category. Any other value selects none. */
  chosen: number | undefined
  /** Receives null if the selected category is pressed again. */
  onChoose: (category: CategoryId | null) => void
  /** Renders rows instead of tiles from 1024 pixels, for the rail. */
  rail?: boolean
  disabled?: boolean
}

export function CategoryButtons({ chosen, onChoose, rail = false, disabled = false }: CategoryButtonsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's frame can not be a grid in every browser.
    <div className={classNames(css.buttons, rail && css.rail)} role="group" aria-label="Category">
      {categoryChoices.map((name) => {
        const id = categoryId(name)
        const pressed = id === chosen
        return (
          <button
            key={name}
            type="button"
            disabled={disabled}
            aria-pressed={pressed}
            onClick={() => onChoose(pressed ? null : id)}
          >
            <Icon name={pressed ? `${name}-filled` : name} size={32} />
            {name}
          </button>
        )
      })}
    </div>
  )
}
