import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { limits } from '#contract/constants.ts'
import { equalListingQuery } from '#web/features/listings/listing-queries.ts'
import { useDebounced } from '#web/ui/use-debounced.ts'
import css from './listing-form.module.css'

type ListedAlreadyProps = Parameters<typeof equalListingQuery>[0]

/** Says that the member has listed the same already, with a link to it. The member may post it again. */
export function ListedAlready({ title, type_id, category_id }: ListedAlreadyProps) {
  const typed = title.trim().slice(0, limits.title.max)
  const query = useDebounced({ title: typed, type_id, category_id })
  const { data } = useQuery({ ...equalListingQuery(query), enabled: query.title.length >= limits.title.min })
  const listing = query.title === typed ? data?.listing : undefined
  return (
    <span role="status">
      {listing && (
        <span className={css.listedAlready}>
          <Trans>
            You have listed this already:{' '}
            <Link to="/listings/$id" params={{ id: String(listing.id) }} dir="auto">
              {listing.title}
            </Link>
          </Trans>
        </span>
      )}
    </span>
  )
}
