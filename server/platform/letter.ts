import { html } from './html.ts'
import type { Mail } from './mail.ts'
import { mailPage } from './mail-page.ts'

export interface Frame {
  /** Every link starts with it: the configured address, never one that a request brought. */
  readonly publicUrl: string
  readonly supportEmail: string
}

/** A short mail in paragraphs with one thing to do, as HTML and as plain text. `path` is below the public URL. */
export function letter(
  mail: {
    to: string
    subject: string
    title: string
    paragraphs: readonly string[]
    action: { label: string; path: string }
    /** For a mail that one can do without: why it comes, where to choose, and what one click stops it (RFC 8058). */
    optional?: { because: string; label: string; path: string; oneClick: string }
  },
  { publicUrl, supportEmail }: Frame,
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
