import { t } from '@lingui/core/macro'
import { Icon } from '#web/ui/icon.tsx'
import { Grid } from '#web/ui/layout.tsx'
import { type CategoryKey, categoryChoices, categoryLabel } from './categories.ts'
import css from './category-buttons.module.css'
import tile from './category-tile.module.css'

type CategoryButtonsProps = {
  chosen: CategoryKey | undefined
  /** Receives undefined if the selected category is pressed again. */
  onChoose: (category: CategoryKey | undefined) => void
}

/** Buttons that filter by category: tiles, and rows from 1024 pixels, where they are in the rail. */
export function CategoryButtons({ chosen, onChoose }: CategoryButtonsProps) {
  return (
    <Grid columns="5rem" gap="2" className={css.buttons} role="group" aria-label={t`Category`}>
      {categoryChoices.map((name) => {
        const isPressed = name === chosen
        return (
          <button
            key={name}
            type="button"
            className={tile.tile}
            aria-pressed={isPressed}
            onClick={() => onChoose(isPressed ? undefined : name)}
          >
            <Icon name={isPressed ? `${name}-filled` : name} size={32} />
            {categoryLabel(name)}
          </button>
        )
      })}
    </Grid>
  )
}
