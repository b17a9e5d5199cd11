import { Link } from '@tanstack/react-router'
import { labelFor } from '#web/i18n/formats.ts'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import css from './section-link.module.css'

type SectionLinkProps = {
  listing: { id: number; title: string }
  /** The id of the section's title. */
  section: 'requests' | 'wanted'
  icon: IconName
  children: string
}

/** Links from the row of an own listing to a section of the listing's screen. */
export function SectionLink({ listing: { id, title }, section, icon, children }: SectionLinkProps) {
  return (
    <Link
      className={classNames(text.link, text.standalone, css.link)}
      to="/listings/$id"
      params={{ id: String(id) }}
      hash={section}
      aria-label={labelFor(children, title)}
    >
      <Icon name={icon} size={16} />
      {children}
    </Link>
  )
}
