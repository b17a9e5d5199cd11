export const sitePages = [
  { to: '/safety', label: 'Safety' },
  { to: '/terms', label: 'Terms' },
  { to: '/privacy', label: 'Privacy' },
] as const

/** Plain links, which work on the landing page without the app. */
export function SitePageLinks() {
  return (
    <ul>
      {sitePages.map(({ to, label }) => (
        <li key={to}>
          <a href={to}>{label}</a>
        </li>
      ))}
    </ul>
  )
}
