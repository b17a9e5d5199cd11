interface Rules {
  createScriptURL(url: string): string
  createHTML(html: string): string
}

const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Rules } }

/** The one policy that the content security policy allows, for the few places where a page makes code or markup of text. */
const policy = trustedTypes?.createPolicy('rhubarb', {
  createScriptURL(url) {
    if (new URL(url, location.origin).origin !== location.origin)
      throw new TypeError(`Not our script: ${url}`)
    return url
  },
  createHTML(html) {
    if (/<(?:script|iframe|object|embed|base|meta http)/i.test(html)) throw new TypeError('Not our markup')
    return html
  },
})

/** The address of a worker's script. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url
}

/** The markup of a mail of ours, to be shown as it is sent. */
export function mailMarkup(html: string): string {
  return policy?.createHTML(html) ?? html
}
