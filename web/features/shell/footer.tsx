import { useAppContext } from '#web/app-context.ts'
import css from './footer.module.css'

/** The end of every member page that scrolls: social links and the contact. */
export function Footer() {
  const { supportEmail, socialLinks } = useAppContext().site
  if (supportEmail === undefined && socialLinks.length === 0) return null
  return (
    <footer className={css.frame}>
      <ul className={css.foot}>
        {socialLinks.map(({ name, url }) => (
          <li key={url}>
            <a href={url} rel="noopener">
              {name}
            </a>
          </li>
        ))}
        {supportEmail !== undefined && (
          <li className={css.contact}>
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </li>
        )}
      </ul>
    </footer>
  )
}
