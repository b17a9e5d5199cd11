import { t } from '@lingui/core/macro'
import { useHydrated } from '@tanstack/react-router'
import type { CategoryId } from '#contract/constants.ts'
import { categoryIdOf, categoryLabel, groupNames } from '#web/features/listings/categories.ts'
import tile from '#web/features/listings/category-tile.module.css'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import coverInput from '#web/ui/cover-input.module.css'
import { Icon } from '#web/ui/icon.tsx'
import { Grid } from '#web/ui/layout.tsx'

type CategoryChoiceProps = {
  name: string
  /** The id of a category. Null is uncategorized. */
  chosen: number | null
  /** True if the category comes from the name. */
  isGuessed: boolean
  onChoose: (category: CategoryId | null) => void
}

/** Radio buttons for the category of a listing. */
export function CategoryChoice({ name, chosen, isGuessed, onChoose }: CategoryChoiceProps) {
  const isHydrated = useHydrated()
  return (
    <fieldset inert={!isHydrated}>
      <legend className={text.label}>{isGuessed ? t`Category, guessed from the name` : t`Category`}</legend>
      <Grid columns="9rem" gap="2">
        {groupNames.map((category) => {
          const id = categoryIdOf(category)
          return (
            <label key={category} className={tile.tile}>
              <input
                type="radio"
                className={coverInput.cover}
                name={name}
                value={category}
                checked={id === chosen}
                onChange={() => onChoose(id)}
              />
              <Icon
                name={id === chosen && category !== 'uncategorized' ? `${category}-filled` : category}
                size={32}
              />
              {categoryLabel(category)}
            </label>
          )
        })}
      </Grid>
      {chosen === null && (
        <p className={classNames(text.caption, text.muted, layout.above2)} aria-live="polite">
          {t`For all that is neither produce, seeds nor plants, such as tools, pots and compost. The buttons of the categories do not show it.`}
        </p>
      )}
    </fieldset>
  )
}
