import css from './chips.module.css'
import { classNames } from './class-names.ts'
import { NavLink } from './nav-link.tsx'
import type { TabItem } from './tabs.tsx'

/** Links that look like chips: each has an address, so Back, reload and sharing work. */
export function ChipLinks({ label, items }: { label: string; items: readonly TabItem[] }) {
  return (
    <nav aria-label={label} className={classNames(css.chips, items.length > 4 && css.threes)}>
      {items.map(({ label: text, ...link }) => (
        <NavLink key={text} {...link}>
          {text}
        </NavLink>
      ))}
    </nav>
  )
}
