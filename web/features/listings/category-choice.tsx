import type { CategoryId } from '#contract/constants.ts'
import { Icon } from '#web/ui/icon.tsx'
import { categoryIdOf, groupNames } from './categories.ts'
import css from './category-choice.module.css'

type CategoryChoiceProps = {
  name: string
  /** The id of a category. Null is uncategorized. */
  chosen: number | null
  onChoose: (category: CategoryId | null) => void
}

/** Radio buttons for the category of a listing. */
export function CategoryChoice({ name, chosen, onChoose }: CategoryChoiceProps) {
  return (
    <fieldset className={css.field}>
      <legend>Category</legend>
      <div className={css.choices}>
        {groupNames.map((category) => {
          const id = categoryIdOf(category)
          return (
            <label key={category}>
              <input
                type="radio"
                name={name}
                value={category}
                checked={id === chosen}
                onChange={() => onChoose(id)}
              />
              <Icon
                name={id === chosen && category !== 'uncategorized' ? `${category}-filled` : category}
                size={32}
              />
              {category}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
