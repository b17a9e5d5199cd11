import type { PageOptions } from '#server/platform/http/pages.ts'

/** The settings of a site that nobody has changed, for tests of pages without a database. */
export const plainSite: Pick<PageOptions, 'site' | 'region'> = {
  site: () => ({
    name: 'Rhubarb',
    sentence: '',
    logo: null,
    banner: undefined,
    registration: 'open',
    support_email: 'help@rhubarb.example',
    social_links: [],
  }),
  region: { country: 'US', currency: 'USD', distanceUnit: 'mi' },
}
