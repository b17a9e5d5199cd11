import { Link } from '@tanstack/react-router'
import { useAppContext } from '#web/context/app-context.ts'
import { sitePages } from '#web/features/site-pages/site-page-links.tsx'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster } from '#web/ui/layout.tsx'
import css from './footer.module.css'

/** The footer of member pages that scroll: social links, the operator's pages and the contact. */
export function Footer() {
  const { supportEmail, socialLinks } = useAppContext().site
  return (
    <footer className={css.footer}>
      <Cluster as="ul" className={classNames(text.muted, css.links)}>
        {socialLinks.map(({ name, url }) => (
          <li key={url}>
            <a href={url} rel="noopener">
              {name}
            </a>
          </li>
        ))}
        {sitePages().map(({ to, label }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
        {supportEmail !== undefined && (
          <li className={css.contact}>
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </li>
        )}
      </Cluster>
    </footer>
  )
}
