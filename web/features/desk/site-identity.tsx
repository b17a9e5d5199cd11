import { t } from '@lingui/core/macro'
import { limits } from '#contract/constants.ts'
import type { CurrentSettings, SiteSettings } from '#contract/site-settings.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { settingTexts } from './desk-texts.ts'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'

/** How the site is called and what it says of itself. */
export function NameSettings({ site }: { site: CurrentSettings }) {
  const section = useSettingsForm({
    site,
    fieldsOf: ({ name, sentence }) => ({ name, sentence }),
    read: (fields) => fields,
  })
  const { form } = section
  return (
    <SettingsSection title={textOf(settingTexts.name)} {...section}>
      <TextField label={textOf(settingTexts.name)} autoComplete="off" {...fieldOf(form, 'name')} />
      <TextField
        label={textOf(settingTexts.sentence)}
        hint={t`It is on the front page and where others show a link to the site. Leave it empty for ours, which is translated.`}
        {...fieldOf(form, 'sentence')}
      />
    </SettingsSection>
  )
}

/** A text above all pages. */
export function BannerSettings({ site }: { site: CurrentSettings }) {
  const section = useSettingsForm({
    site,
    fieldsOf: ({ banner_text, banner_link, banner_last_day }) => ({
      banner_text,
      banner_link,
      banner_last_day,
    }),
    read: (fields) => fields,
  })
  const { form } = section
  return (
    <SettingsSection title={t`Banner`} {...section}>
      <TextArea
        label={textOf(settingTexts.banner_text)}
        hint={t`It is above all pages, for everybody, until they dismiss it. Leave it empty for none.`}
        rows={3}
        {...fieldOf(form, 'banner_text')}
      />
      <TextField
        label={textOf(settingTexts.banner_link)}
        optional
        inputMode="url"
        {...fieldOf(form, 'banner_link')}
      />
      <TextField
        label={textOf(settingTexts.banner_last_day)}
        optional
        type="date"
        {...fieldOf(form, 'banner_last_day')}
      />
    </SettingsSection>
  )
}

/** The field of the links shows the errors of each. */
const linkPlaces = Object.fromEntries(
  Array.from({ length: limits.socialLinks + 1 }, (_, nth) => nth).flatMap((nth) =>
    ['name', 'url'].map((part) => [`social_links.${nth}.${part}`, 'social_links']),
  ),
)

/** Where members write to, and where else they find the site. */
export function ContactSettings({ site }: { site: CurrentSettings }) {
  const section = useSettingsForm({
    site,
    fieldsOf: ({ support_email, social_links }) => ({ support_email, social_links: linesOf(social_links) }),
    read: (fields) => ({ ...fields, social_links: readLinks(fields.social_links) }),
    places: linkPlaces,
  })
  const { form } = section
  return (
    <SettingsSection title={t`Contact`} {...section}>
      <TextField
        label={textOf(settingTexts.support_email)}
        type="email"
        autoComplete="off"
        {...fieldOf(form, 'support_email')}
      />
      <TextArea
        label={textOf(settingTexts.social_links)}
        hint={t`A line for each: its name, a space and its address. Leave it empty for none.`}
        rows={4}
        {...fieldOf(form, 'social_links')}
      />
    </SettingsSection>
  )
}

function linesOf(links: SiteSettings['social_links']): string {
  return links.map(({ name, url }) => `${name} ${url}`).join('\n')
}

/** Reads a line for each link. The address is its last word. */
function readLinks(lines: string): SiteSettings['social_links'] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const end = line.lastIndexOf(' ')
      return { name: line.slice(0, Math.max(end, 0)).trim(), url: line.slice(end + 1) }
    })
}
