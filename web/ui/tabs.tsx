import type { LinkProps } from '@tanstack/react-router'
import { Row } from './layout.tsx'
import { NavLink } from './nav-link.tsx'
import css from './tabs.module.css'

export type TabItem = Omit<LinkProps, 'children'> & {
  label: string
  /** True if this is the current tab. If undefined, it is the current one when its link matches the path and the query of the page. */
  current?: boolean
}

/** Tabs as links: each has an address, so Back, reload and sharing work. */
export function TabLinks({ label, items }: { label: string; items: readonly TabItem[] }) {
  return (
    <Row as="nav" gap="0" align="stretch" aria-label={label} className={css.tabs}>
      {items.map(({ label: text, ...link }) => (
        <NavLink key={text} {...link}>
          {text}
        </NavLink>
      ))}
    </Row>
  )
}
