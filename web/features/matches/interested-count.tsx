import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './interested-count.module.css'
import { interestedText } from './interested-text.ts'
import { interestedCountQuery } from './match-queries.ts'

/** Longer than the pause between two keys. */
const delayMs = 500

type InterestedCountProps = Parameters<typeof interestedCountQuery>[0]

/** Under the name that is being written: how long it has to be, or how many gardeners want such a thing, once that is known. */
export function InterestedCount(written: InterestedCountProps) {
  const body = useRested(written)
  const isNamed = written.title.trim().length >= limits.title.min
  const { data } = useQuery({ ...interestedCountQuery(body), enabled: body.title.length >= limits.title.min })
  const count = isNamed ? (data?.count ?? 0) : 0
  return (
    <>
      {/* One line, whatever it says: nothing moves when the count comes, and nothing is left free for it. */}
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

/** Returns the input, debounced. */
function useRested({ title, description, category_id }: InterestedCountProps): InterestedCountProps {
  const [rested, setRested] = useState<InterestedCountProps>({ title: '' })
  useEffect(() => {
    const timer = setTimeout(
      () =>
        setRested({
          // A title that is too long can't be posted; its beginning is enough for the count.
          title: title.trim().slice(0, limits.title.max),
          description: description?.trim().slice(0, limits.description) ?? '',
          category_id: category_id ?? null,
        }),
      delayMs,
    )
    return () => clearTimeout(timer)
  }, [title, description, category_id])
  return rested
}
