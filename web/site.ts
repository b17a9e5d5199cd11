/** What the operator says about this site. The server writes it into the page. */
export interface Site {
  readonly supportEmail: string | undefined
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[]
}

interface WrittenSite {
  readonly support_email?: string
  readonly social_links?: Site['socialLinks']
}

export function readSite(): Site {
  const { support_email, social_links = [] } = readMeta()
  return { supportEmail: support_email, socialLinks: social_links }
}

function readMeta(): WrittenSite {
  try {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="rhubarb-site"]')
    return JSON.parse(meta?.content ?? '{}')
  } catch {
    // The development server leaves the placeholder as it is.
    return {}
  }
}
