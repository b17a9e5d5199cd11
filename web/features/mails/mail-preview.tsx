import { useLayoutEffect, useRef } from 'react'
import { ownMarkup } from '#web/api/trusted.ts'

type MailPreviewProps = {
  /** The mail as it is sent: a whole HTML document of ours. */
  html: string
  /** The accessible name of the preview. */
  label: string
}

/** Shows a mail as mail programs do: apart from the page, so that neither's styles reach the other. */
export function MailPreview({ html, label }: MailPreviewProps) {
  const host = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (host.current === null) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = stylesOf(html)
    root.replaceChildren(painted(html))
  }, [html])
  return <section ref={host} aria-label={label} />
}

const styles = /<style>([^<]*)<\/style>/g

/** The policy of the page forbids styles that stand in the mail, but not those that a script makes of the same words. */
function stylesOf(html: string): CSSStyleSheet[] {
  return Array.from(html.matchAll(styles), ([, rules = '']) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
    return sheet
  })
}

/** The body of the document. Mails also style each element by an attribute; that is set by a script as well. */
function painted(html: string): DocumentFragment {
  const allowed = html.replaceAll(styles, '').replaceAll(' style="', ' data-style="')
  const mail = new DOMParser().parseFromString(ownMarkup(allowed), 'text/html')
  for (const element of mail.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    element.removeAttribute('data-style')
  }
  // Mails name the public address of this site; it may have been opened by another.
  for (const picture of mail.querySelectorAll('img')) picture.src = new URL(picture.src).pathname
  for (const link of mail.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener'
  }
  const fragment = document.createDocumentFragment()
  fragment.append(...mail.body.childNodes)
  return fragment
}
