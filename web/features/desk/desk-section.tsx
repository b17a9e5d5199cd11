import { type ReactNode, useId } from 'react'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'

interface DeskSectionProps<Item> {
  title: string
  /** Shown instead of an empty list. */
  none: string
  items: readonly Item[]
  keyOf: (item: Item) => string | number
  children: (item: Item) => ReactNode
}

/** A list of the desk under a heading. */
export function DeskSection<Item>({ title, none, items, keyOf, children }: DeskSectionProps<Item>) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={layout.section}>
      <SectionTitle id={headingId}>{title}</SectionTitle>
      {items.length === 0 ? (
        <p className={classNames(text.none, layout.above4)}>{none}</p>
      ) : (
        <Stack as="ul" gap="4" className={layout.above4}>
          {items.map((item) => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </Stack>
      )}
    </section>
  )
}
