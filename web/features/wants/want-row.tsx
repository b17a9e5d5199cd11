import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { limits } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import { useAction } from '#web/api/use-action.ts'
import { labelFor } from '#web/i18n/formats.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Row } from '#web/ui/layout.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { addWant, removeWant } from './want-queries.ts'
import css from './want-row.module.css'

/** An own want with a delete button and a link to its matches. */
export function OwnWantRow({ want }: { want: Want }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const removal = useAction(() => removeWant(client, want.id), {
    onSuccess: () => toasts.show(t`Taken off your wish list`, () => addWant(client, want)),
    onError: (failure) => console.error('Deleting a want failed:', failure),
  })
  return (
    <Row as="li" className={css.row}>
      <div className={layout.grow}>
        <p dir="auto">{want.title}</p>
        <MatchLink want={want} />
        <ActionFailure>{removal.isError && t`Not deleted. Please try again.`}</ActionFailure>
      </div>
      <IconButton
        label={t`Delete ${{ title: want.title }}`}
        variant="delete"
        className={css.delete}
        aria-disabled={removal.isPending}
        onClick={removal.press}
      >
        <Icon name="trash" size={22} />
      </IconButton>
    </Row>
  )
}

/** Links to the matches of a want with their number. */
function MatchLink({ want: { id, title, listing_count } }: { want: Want }) {
  if (!listing_count) return null
  const count = matchCountText(listing_count)
  return (
    <Link
      className={classNames(text.link, text.standalone, css.matches)}
      to="/matches"
      search={{ want: id }}
      aria-label={labelFor(count, title)}
    >
      {count}
    </Link>
  )
}

/** Returns the number of matching listings as text. The server counts up to the size of a page. */
function matchCountText(listings: number): string {
  return listings < limits.page.max
    ? plural(listings, { one: '# listing fits', other: '# listings fit' })
    : plural(listings, { one: '#+ listing fits', other: '#+ listings fit' })
}

/** Another member's want. */
export function WantRow({ want }: { want: Want }) {
  return (
    <Row as="li" className={css.row}>
      <span className={layout.grow} dir="auto">
        {want.title}
      </span>
    </Row>
  )
}
