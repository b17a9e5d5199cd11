import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './interested-count.module.css'
import { interestedText } from './interested-text.ts'
import { interestedCountQuery } from './match-queries.ts'

/** The debounce delay, longer than the pause between two keys. */
const delayMs = 500

type InterestedCountProps = Parameters<typeof interestedCountQuery>[0]

/** The hint of the name field: its minimum length, or how many members want such a listing. */
export function InterestedCount(input: InterestedCountProps) {
  const body = useDebounced(input)
  const isNamed = input.title.trim().length >= limits.title.min
  const { data } = useQuery({ ...interestedCountQuery(body), enabled: body.title.length >= limits.title.min })
  const count = isNamed ? (data?.count ?? 0) : 0
  return (
    <>
      {/* The count replaces the hint in the same line, so the layout does not shift. */}
      {count === 0 && `At least ${limits.title.min} characters`}
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

/** Returns the trimmed input after it has not changed for the delay. */
function useDebounced({ title, description, category_id }: InterestedCountProps): InterestedCountProps {
  const [debounced, setDebounced] = useState<InterestedCountProps>({ title: '' })
  useEffect(() => {
    const timer = setTimeout(
      () =>
        setDebounced({
          // The API refuses a longer title. Its beginning is enough for the count.
          title: title.trim().slice(0, limits.title.max),
          description: description?.trim().slice(0, limits.description) ?? '',
          category_id: category_id ?? null,
        }),
      delayMs,
    )
    return () => clearTimeout(timer)
  }, [title, description, category_id])
  return debounced
}
