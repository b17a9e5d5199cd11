import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useRef } from 'react'
import { limits } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import text from '#web/styles/text.module.css'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { controlOfNextRow, isSecondTap } from '#web/ui/next-row.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { addWant, removeWant } from './want-queries.ts'
import css from './want-row.module.css'

/** One of the member's own wants, with a bin. */
export function OwnWantRow({ want }: { want: Want }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const row = useRef<HTMLLIElement>(null)
  const removal = useMutation({
    mutationFn: () => removeWant(client, want.id),
    onSuccess: () => toasts.show('Taken off your wish list', () => addWant(client, want)),
    onError: (failure) => console.error('A want could not be deleted:', failure),
  })

  function remove(event: MouseEvent) {
    if (removal.isPending || isSecondTap(event)) return
    const next = controlOfNextRow(row.current, 'button')
    removal.mutate(undefined, { onSuccess: () => next?.focus() })
  }
  return (
    <li ref={row} className={css.row}>
      <div className={css.text}>
        <p dir="auto">{want.title}</p>
        <Fitting want={want} />
        <p className={text.failure} role="status">
          {removal.isError && 'Not deleted. Please try again.'}
        </p>
      </div>
      <IconButton
        label={`Delete ${want.title}`}
        className={css.bin}
        aria-disabled={removal.isPending}
        onClick={remove}
      >
        <Icon name="trash" size={22} />
      </IconButton>
    </li>
  )
}

/** How many listings fit, as a way to them. */
function Fitting({ want: { id, title, listing_count } }: { want: Want }) {
  if (!listing_count) return null
  const fitting = sayFitting(listing_count)
  return (
    <Link
      className={classNames(text.link, text.standing, css.fitting)}
      to="/matches"
      search={{ want: id }}
      aria-label={`${fitting} ${title}`}
    >
      {fitting}
    </Link>
  )
}

/** More than a page's most are not counted. */
function sayFitting(listings: number): string {
  if (listings === 1) return '1 listing fits'
  return listings < limits.page.max ? `${listings} listings fit` : `${listings}+ listings fit`
}

/** Another member's want. */
export function WantRow({ want }: { want: Want }) {
  return (
    <li className={css.row}>
      <span className={css.text} dir="auto">
        {want.title}
      </span>
    </li>
  )
}
