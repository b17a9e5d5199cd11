/** What whoever runs this site says about it. The server writes it into the page at start. */
export type Site = {
  supportEmail: string | undefined
  socialLinks: { name: string; url: string }[]
}

/** The same as the server writes it. */
export interface WrittenSite {
  readonly support_email?: string
  readonly social_links?: Site['socialLinks']
}

export const site: Site = siteOf(readSite())

export function siteOf({ support_email, social_links = [] }: WrittenSite): Site {
  return { supportEmail: support_email, socialLinks: social_links }
}

function readSite(): WrittenSite {
  try {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="rhubarb-site"]')
    return JSON.parse(meta?.content ?? '{}')
  } catch {
    // The development server leaves the placeholder as it is; a first look is told.
    return {}
  }
}
