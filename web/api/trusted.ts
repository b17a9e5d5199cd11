interface Rules {
  createScriptURL(url: string): string
  createHTML(html: string): string
}

const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Rules } }

const doctype = /^<!doctype html>/i
/** Tags and attributes that mails of ours are made of. Links and pictures have web addresses, or one of an e-mail. */
const mailTag =
  /<\/?(?:html|head|meta|title|body|div|span|p|h1|h2|a|b|strong|em|br|hr|img|table|tbody|tr|td|ul|li)(?:\s+(?:(?:href|src)="(?:https?:|mailto:)[^"<>]*"|(?:align|alt|aria-hidden|aria-label|bgcolor|border|cellpadding|cellspacing|charset|class|content|data-style|dir|height|lang|name|role|title|valign|width)="[^"<>]*"))*\s*\/?>/

/** Tags that `server/features/site-pages` makes of Markdown. */
const pageTag =
  /<\/?(?:p|h[1-6]|ul|ol|li|strong|em|code|blockquote|br|hr)(?: start="\d+")?>|<a href="(?:https?:|mailto:|tel:|#|\/(?!\/))[^"<>]*"(?: title="[^"<>]*")?>|<\/a>/
const ownTag = new RegExp(`${mailTag.source}|${pageTag.source}`, 'g')

/** The one policy that the content security policy allows, for the few places where a page makes code or markup of text. */
const policy = trustedTypes?.createPolicy('rhubarb', {
  createScriptURL(url) {
    if (new URL(url, location.origin).origin !== location.origin)
      throw new TypeError(`Not our script: ${url}`)
    return url
  },
  createHTML(html) {
    // Without the tags of our mails and pages only text remains, where every `<` is escaped.
    if (html.replace(doctype, '').replaceAll(ownTag, '').includes('<')) throw new TypeError('Not our markup')
    return html
  },
})

/** The address of a worker's script. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url
}

/** Markup that the server made: of a mail, to be shown as it is sent, or of a page. Throws for any other markup. */
export function ownMarkup(html: string): string {
  return policy?.createHTML(html) ?? html
}
