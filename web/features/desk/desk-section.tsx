import { type ReactNode, useId } from 'react'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Stack } from '#web/ui/layout.tsx'

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
    <section aria-labelledby={headingId} className={layout.ruleAbove}>
      <h2 id={headingId} className={text.subheading}>
        {title}
      </h2>
      {items.length === 0 ? (
        <p className={text.none}>{none}</p>
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
