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
  },
  { publicUrl, supportEmail }: Frame,
): Mail {
  const url = publicUrl + mail.action.path
  return {
    to: mail.to,
    subject: mail.subject,
    html: mailPage({
      publicUrl,
      supportEmail,
      title: mail.title,
      body: html`${mail.paragraphs.map((paragraph) => html`<p style="margin:0 0 12px;">${paragraph}</p>`)}`,
      action: { label: mail.action.label, url },
    }),
    text: [...mail.paragraphs, `${mail.action.label}: ${url}`, `Questions? Write to ${supportEmail}.`].join(
      '\n\n',
    ),
  }
}
