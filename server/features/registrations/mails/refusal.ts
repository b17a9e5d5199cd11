import type { Translator } from '#server/platform/i18n/translator.ts'
import type { MailContent } from '#server/platform/render-mail.ts'

interface Refused {
  readonly email: string
  readonly first_name: string
  /** Empty for none. */
  readonly reason: string
}

/** Returns the mail to who has registered on a site by approval and was not let in. */
export function refusalMail(
  { email, first_name, reason }: Refused,
  supportEmail: string,
  t: Translator,
): MailContent {
  return {
    to: email,
    t,
    subject: t('Your registration at {site}', { site: t.siteName }),
    title: t('your registration'),
    body: [
      t('Hello {name},', { name: first_name }),
      t(
        'Thank you for your interest. A volunteer has looked at your registration and has not let you in. We have deleted what you entered.',
      ),
      ...(reason === '' ? [] : [reason]),
      t('If you think that is a mistake, write to {email}.', { email: supportEmail }),
    ],
    action: { label: t('Open {site}', { site: t.siteName }), path: '/' },
  }
}
