import type { Translator } from '#server/platform/i18n/translator.ts'
import type { MailContent } from '#server/platform/render-mail.ts'

/** Returns the mail with which an operator checks the mail server. */
export function testMail(to: string, t: Translator): MailContent {
  return {
    to,
    t,
    subject: t('Test mail of {site}', { site: t.siteName }),
    title: t('mails arrive'),
    body: [
      t('An operator of the site has sent this mail as a test. There is nothing to do.'),
      t('Its source has a line Authentication-Results: spf, dkim and dmarc should say “pass” there.'),
    ],
    action: { label: t('Open {site}', { site: t.siteName }), path: '/' },
  }
}
