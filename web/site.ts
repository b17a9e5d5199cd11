/** What whoever runs this site says about it. The server writes it into the page at start. */
export type Site = {
  supportEmail: string | undefined
  socialLinks: { name: string; url: string }[]
}

export const site: Site = readSite()

function readSite(): Site {
  const content = document.querySelector<HTMLMetaElement>('meta[name="rhubarb-site"]')?.content
  try {
    const written = JSON.parse(content ?? '{}')
    return { supportEmail: written.support_email, socialLinks: written.social_links ?? [] }
  } catch {
    // The development server leaves the placeholder as it is.
    return { supportEmail: undefined, socialLinks: [] }
  }
}
