interface Rules {
  createScriptURL(url: string): string
  createHTML(html: string): string
}

const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Rules } }

const doctype = /^<!doctype html>/i
/** Tags and attributes of our mails. Links and pictures have `http:`, `https:` or `mailto:` URLs. */
const mailTag =
  /<\/?(?:html|head|meta|title|body|div|span|p|h1|h2|a|b|strong|em|br|hr|img|table|tbody|tr|td|ul|li)(?:\s+(?:(?:href|src)="(?:https?:|mailto:)[^"<>]*"|(?:align|alt|aria-hidden|aria-label|bgcolor|border|cellpadding|cellspacing|charset|class|content|data-style|dir|height|lang|name|role|title|valign|width)="[^"<>]*"))*\s*\/?>/

/** Tags that `server/features/site-pages` renders from Markdown. */
const pageTag =
  /<\/?(?:p|h[1-6]|ul|ol|li|strong|em|code|blockquote|br|hr)(?: start="\d+")?>|<a href="(?:https?:|mailto:|tel:|#|\/(?!\/))[^"<>]*"(?: title="[^"<>]*")?>|<\/a>/
const ownTag = new RegExp(`${mailTag.source}|${pageTag.source}`, 'g')

/** The only Trusted Types policy that the content security policy allows. */
const policy = trustedTypes?.createPolicy('rhubarb', {
  createScriptURL(url) {
    if (new URL(url, location.origin).origin !== location.origin)
      throw new TypeError(`Not our script: ${url}`)
    return url
  },
  createHTML(html) {
    // After the tags of our mails and pages are removed only text may remain, where every `<` is escaped.
    if (html.replace(doctype, '').replaceAll(ownTag, '').includes('<')) throw new TypeError('Not our markup')
    return html
  },
})

/** Returns the URL of a worker's script as trusted. Throws if it is of another origin. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url
}

/** Returns the markup of one of our mails or pages as trusted. Throws for any other markup. */
export function ownMarkup(html: string): string {
  return policy?.createHTML(html) ?? html
}
