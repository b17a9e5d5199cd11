import { directionOf, type Language } from '#contract/languages.ts'
import { ownMarkup } from '#web/api/trusted.ts'
import css from './site-page-text.module.css'

/** The text of a page that an operator writes. */
export function SitePageText({ page }: { page: { html: string; language: Language } }) {
  return (
    <div
      className={css.text}
      lang={page.language}
      dir={directionOf(page.language)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders it from Markdown without HTML, and `ownMarkup` checks it
      dangerouslySetInnerHTML={{ __html: ownMarkup(page.html) }}
    />
  )
}
