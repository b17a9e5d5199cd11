import { t } from '@lingui/core/macro'
/** The pages with texts of the operator. */
export const sitePages = () =>
  [
    { to: '/safety', label: t`Safety` },
    { to: '/terms', label: t`Terms` },
    { to: '/privacy', label: t`Privacy` },
  ] as const

/** Lists plain links to the pages, which work on the landing page without the app. */
export function SitePageLinks() {
  return (
    <ul>
      {sitePages().map(({ to, label }) => (
        <li key={to}>
          <a href={to}>{label}</a>
        </li>
      ))}
    </ul>
  )
}
