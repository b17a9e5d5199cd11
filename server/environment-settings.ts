import { defaultSiteName } from '#contract/constants.ts'
import { type PageSetting, pageSettings, type SiteSettings } from '#contract/site-settings.ts'
import type { Config } from './config.ts'

const noPages = Object.fromEntries(pageSettings.map((name) => [name, ''])) as Record<PageSetting, string>

/** Returns the settings of the site that hold until an operator saves others. */
export function environmentSettings(config: Config): SiteSettings {
  const { site, firstContacts } = config
  return {
    ...noPages,
    name: defaultSiteName,
    sentence: '',
    logo: null,
    banner_text: '',
    banner_link: '',
    banner_last_day: '',
    support_email: site.support_email,
    social_links: [...site.social_links],
    registration: 'open',
    first_contacts_unconfirmed: firstContacts.unconfirmed,
    first_contacts_first_week: firstContacts.firstWeek,
    first_contacts_later: firstContacts.later,
    equal_texts: config.equalTexts,
    registrations_per_hour: config.registrationsPerHour,
    hold_first_listings: false,
  }
}
