import { useLocation } from '@tanstack/react-router'
import { languageCookie, languageNames, languages } from '#contract/languages.ts'
import { language } from '#web/i18n/i18n.ts'

/** Lists plain links to this page in each language. The server stores the choice of a guest in a cookie. */
export function LanguageLinks() {
  const { pathname, searchStr } = useLocation()
  const current = language()
  return (
    <ul>
      {languageNames.map((name) => {
        const search = new URLSearchParams(searchStr)
        search.set(languageCookie, name)
        return (
          <li key={name}>
            <a
              href={`${pathname}?${search}`}
              lang={name}
              hrefLang={name}
              aria-current={name === current ? 'true' : undefined}
            >
              {languages[name]}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
