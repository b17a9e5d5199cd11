import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import css from './section-title.module.css'

/**
 * The heading of a section, with a rule below. A link to its id focuses it. The browser does so only for a section that is in the
 * page before the navigation.
 */
export function SectionTitle({ id, children }: { id: string; children: ReactNode }) {
  const isLinkTarget = useLocation({ select: ({ hash }) => hash === id })
  return (
    <h2
      id={id}
      className={classNames(text.subheading, css.title)}
      ref={isLinkTarget ? focusInCenter : undefined}
      tabIndex={-1}
    >
      {children}
    </h2>
  )
}

function focusInCenter(heading: HTMLElement | null) {
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'center' })
}
