import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import { Icon } from '#web/ui/icon.tsx'
import { useDebounced } from '#web/ui/use-debounced.ts'
import css from './interested-count.module.css'
import { interestedText } from './interested-text.ts'
import { interestedCountQuery } from './match-queries.ts'

type InterestedCountProps = Parameters<typeof interestedCountQuery>[0]

/** The hint below the title field: how many members want such a listing, or the minimum length if none does. */
export function InterestedCount({ title, description, category_id }: InterestedCountProps) {
  const debounced = useDebounced({
    // The API refuses longer texts. Their beginnings are enough for the count.
    title: title.trim().slice(0, limits.title.max),
    description: description?.trim().slice(0, limits.description) ?? '',
    category_id: category_id ?? null,
  })
  // The count disappears at once when the title gets too short.
  const isLongEnough = title.trim().length >= limits.title.min
  const { data } = useQuery({
    ...interestedCountQuery(debounced),
    enabled: debounced.title.length >= limits.title.min,
  })
  const count = isLongEnough ? (data?.count ?? 0) : 0
  return (
    <>
      {/* The count replaces the hint in the same line, so the layout does not shift. */}
      {count === 0 && t`At least ${{ min: limits.title.min }} characters`}
      <span className={css.interested} role="status">
        {count > 0 && (
          <>
            <Icon name="friends" size={16} />
            {interestedText(count)}
          </>
        )}
      </span>
    </>
  )
}
