import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { limits } from '#contract/constants.ts'
import { Icon } from '#web/ui/icon.tsx'
import { wantingQuery } from './match-queries.ts'
import { sayWanting } from './say-wanting.ts'
import css from './wanting-count.module.css'

/** Longer than the pause between two keys. */
const restMs = 500

type WantingCountProps = Parameters<typeof wantingQuery>[0]

/** Under the name that is being written: how long it has to be, or how many gardeners want such a thing, once that is known. */
export function WantingCount(written: WantingCountProps) {
  const body = useRested(written)
  const isNamed = written.title.trim().length >= limits.title.min
  const { data } = useQuery({ ...wantingQuery(body), enabled: body.title.length >= limits.title.min })
  const count = isNamed ? (data?.count ?? 0) : 0
  return (
    <>
      {/* One line, whatever it says: nothing moves when the count comes, and nothing is left free for it. */}
      {count === 0 && `At least ${limits.title.min} characters`}
      <span className={css.wanting} role="status">
        {count > 0 && (
          <>
            <Icon name="friends" size={16} />
            {sayWanting(count)}
          </>
        )}
      </span>
    </>
  )
}

/** What was written when the hands last rested. */
function useRested({ title, description, category_id }: WantingCountProps): WantingCountProps {
  const [rested, setRested] = useState<WantingCountProps>({ title: '' })
  useEffect(() => {
    const timer = setTimeout(
      () =>
        setRested({
          // What is too long is not posted as it is; until it is cut, its beginning says as much.
          title: title.trim().slice(0, limits.title.max),
          description: description?.trim().slice(0, limits.description) ?? '',
          category_id: category_id ?? null,
        }),
      restMs,
    )
    return () => clearTimeout(timer)
  }, [title, description, category_id])
  return rested
}
