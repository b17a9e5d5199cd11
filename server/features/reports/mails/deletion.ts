import type { Translator } from '#server/platform/i18n/translator.ts'
import type { MailContent } from '#server/platform/render-mail.ts'

interface Deleted {
  readonly email: string
  readonly first_name: string
  readonly reason: string
}

/** Returns the mail to a member whose account the desk has deleted. */
export function deletionMail(
  { email, first_name, reason }: Deleted,
  supportEmail: string,
  t: Translator,
): MailContent {
  return {
    to: email,
    t,
    subject: t('Your account at {site} was deleted', { site: t.siteName }),
    title: t('your account was deleted'),
    body: [
      t('Hello {name},', { name: first_name }),
      t('The volunteers of {site} have deleted your account, with its listings, wants and photos.', {
        site: t.siteName,
      }),
      reason,
      t('If you think that is a mistake, write to {email}.', { email: supportEmail }),
    ],
    action: { label: t('Open {site}', { site: t.siteName }), path: '/' },
  }
}
