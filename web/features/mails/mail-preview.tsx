import { useLayoutEffect, useRef } from 'react'
import { ownMarkup } from '#web/api/trusted.ts'

type MailPreviewProps = {
  /** The HTML document of the mail. */
  html: string
  /** The accessible name of the preview. */
  label: string
}

/** Shows a mail in a shadow root, which separates its styles from the page's. */
export function MailPreview({ html, label }: MailPreviewProps) {
  const host = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (host.current === null) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = stylesOf(html)
    root.replaceChildren(styledBody(html))
  }, [html])
  return <section ref={host} aria-label={label} />
}

const styles = /<style>([^<]*)<\/style>/g

/** Returns the mail's style sheets. The content security policy forbids `<style>` elements but not constructed style sheets. */
function stylesOf(html: string): CSSStyleSheet[] {
  return Array.from(html.matchAll(styles), ([, rules = '']) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
    return sheet
  })
}

/** Returns the mail's body. A script sets the `style` attributes, which the content security policy forbids in markup. */
function styledBody(html: string): DocumentFragment {
  const unstyled = html.replaceAll(styles, '').replaceAll(' style="', ' data-style="')
  const mail = new DOMParser().parseFromString(ownMarkup(unstyled), 'text/html')
  for (const element of mail.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    element.removeAttribute('data-style')
  }
  // Mails have absolute URLs of the public address, which may differ from the current origin.
  for (const picture of mail.querySelectorAll('img')) picture.src = new URL(picture.src).pathname
  for (const link of mail.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener'
  }
  const fragment = document.createDocumentFragment()
  fragment.append(...mail.body.childNodes)
  return fragment
}
