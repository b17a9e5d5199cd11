import { html } from './html.ts'
import type { Mail } from './mail.ts'
import { mailPage } from './mail-page.ts'

export interface MailContext {
  /** The configured URL, with which every link starts. It never comes from a request. */
  readonly publicUrl: string
  readonly supportEmail: string
}

/** Returns a short mail with paragraphs and one link, as HTML and as plain text. `path` is below the public URL. */
export function renderMail(
  mail: {
    to: string
    subject: string
    title: string
    paragraphs: readonly string[]
    action: { label: string; path: string }
    /** The reason for a mail that members can turn off, the page to do so and the one-click unsubscribe URL (RFC 8058). */
    optional?: { because: string; label: string; path: string; oneClick: string }
  },
  { publicUrl, supportEmail }: MailContext,
): Mail {
  const url = publicUrl + mail.action.path
  const { optional } = mail
  const choose = optional ? publicUrl + optional.path : ''
  return {
    to: mail.to,
    subject: mail.subject,
    html: mailPage({
      publicUrl,
      supportEmail,
      title: mail.title,
      body: html`${mail.paragraphs.map((paragraph) => html`<p style="margin:0 0 12px;">${paragraph}</p>`)}`,
      action: { label: mail.action.label, url },
      ...(optional && {
        foot: html`${optional.because} <a href="${choose}" style="color:#6B1A30;">${optional.label}</a>.`,
      }),
    }),
    text: [
      ...mail.paragraphs,
      `${mail.action.label}: ${url}`,
      ...(optional ? [`${optional.because} ${optional.label}: ${choose}`] : []),
      `Questions? Write to ${supportEmail}.`,
    ].join('\n\n'),
    ...(optional && {
      headers: {
        'List-Unsubscribe': `<${optional.oneClick}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  }
}
