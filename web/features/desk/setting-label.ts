import { languageNames, languages } from '#contract/languages.ts'
import { sitePageNames } from '#contract/site-pages.ts'
import { pageSetting, type SiteSetting } from '#contract/site-settings.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { pageTexts, settingTexts } from './desk-texts.ts'

/** Returns the name of a setting. */
export function settingLabel(setting: SiteSetting): string {
  for (const page of sitePageNames)
    for (const language of languageNames)
      if (setting === pageSetting(page, language))
        return `${textOf(pageTexts[page])} (${languages[language]})`
  return isShort(setting) ? textOf(settingTexts[setting]) : setting
}

function isShort(setting: SiteSetting): setting is keyof typeof settingTexts {
  return setting in settingTexts
}
