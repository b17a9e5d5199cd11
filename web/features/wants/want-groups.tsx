import type { ReactNode } from 'react'
import type { Want } from '#contract/wants.ts'
import { type CategoryName, categoryLabel, groupByCategory } from '#web/features/listings/categories.ts'
import { classNames } from '#web/ui/class-names.ts'
import { GroupHead } from '#web/ui/group-head.tsx'
import { Stack } from '#web/ui/layout.tsx'
import css from './want-groups.module.css'

/** Lays out groups of wants in columns if there is room. `wide` has fewer columns, for a form. */
export function WantColumns({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <Stack gap="8" className={classNames(css.groups, wide && css.wide)}>
      {children}
    </Stack>
  )
}

type WantGroupProps = { name: CategoryName; count?: string; children: ReactNode }

export function WantGroup({ name, count, children }: WantGroupProps) {
  const titleId = `wants-${name}`
  return (
    <section aria-labelledby={titleId}>
      <GroupHead id={titleId} icon={name} title={categoryLabel(name)} count={count} />
      {children}
    </section>
  )
}

type WantListProps = {
  wants: readonly Want[]
  /** Returns the text at the right of a group's head. */
  countOf?: (wants: readonly Want[]) => string
  row: (want: Want) => ReactNode
}

/** Shows wants by category. */
export function WantList({ wants, countOf, row }: WantListProps) {
  return (
    <WantColumns>
      {groupByCategory(wants).map(({ name, items }) => (
        <WantGroup key={name} name={name} {...(countOf && { count: countOf(items) })}>
          <ul>{items.map(row)}</ul>
        </WantGroup>
      ))}
    </WantColumns>
  )
}
