import type { SiteSettings } from '#contract/site-settings.ts'
import { type Html, html } from './html.ts'
import type { Translator } from './i18n/translator.ts'
import { font, mailPage } from './mail-page.ts'

/** A mail in HTML and plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** The address that answers go to. */
  readonly replyTo: string
  /** Names the conversation in which mail programs show it, like `trade-12`. */
  readonly thread?: string
  readonly headers: Readonly<Record<string, string>>
}

export interface MailContext {
  /** The configured URL, with which every link starts. It never comes from a request. */
  readonly publicUrl: string
  /** Returns the settings of the site that mails show. */
  readonly site: () => Pick<SiteSettings, 'support_email' | 'name' | 'logo'>
}

/** A part of a mail as HTML and as plain text, which may be empty. */
export interface MailPart {
  readonly html: Html
  readonly text: string
}

/** A paragraph, a part, or a part with absolute URLs. */
export type MailContentPart = string | MailPart | ((publicUrl: string) => MailPart)

/** A link to a path below the public URL. */
interface Link {
  readonly label: string
  readonly path: string
}

export interface MailContent {
  readonly to: string
  /** Of the receiver, for the parts that all mails have. */
  readonly t: Translator
  readonly subject: string
  /** The subject of the site that this and other mails are about, like `trade-12`: mail programs show them together. */
  readonly thread?: string
  readonly title: string
  /** The preview text after the subject. */
  readonly preview?: string
  /** The kind of mail, above the title. */
  readonly kind?: string
  readonly body: readonly MailContentPart[]
  readonly action: Link
  /** The text below the action. */
  readonly after?: readonly MailContentPart[]
  /** The reason for a mail that its receiver can turn off, the pages to do so and the path of the one-click unsubscribe URL (RFC 8058), which a browser may open too. */
  readonly optional?: {
    readonly because: string
    readonly links: readonly Link[]
    readonly oneClick: string
  }
}

/** Returns a mail as HTML and as plain text, with absolute URLs. */
export function renderMail(mail: MailContent, { publicUrl, site }: MailContext): Mail {
  const { to, subject, thread, action, optional } = mail
  const { support_email, name, logo } = site()
  const toPart = (part: MailContentPart) => {
    if (typeof part === 'string') return paragraph(part)
    return typeof part === 'function' ? part(publicUrl) : part
  }
  const [body, after] = [mail.body.map(toPart), (mail.after ?? []).map(toPart)]
  const textOf = ({ label, path }: Link) => `${label}: ${publicUrl}${path}`
  return {
    to,
    subject,
    replyTo: support_email,
    ...(thread !== undefined && { thread }),
    html: mailPage({
      ...mail,
      publicUrl,
      supportEmail: support_email,
      siteName: name,
      logo,
      body: html`${body.map((part) => part.html)}`,
      action: { label: action.label, url: publicUrl + action.path },
      after: after.length > 0 && html`${after.map((part) => part.html)}`,
      foot: optional && footer(optional, publicUrl),
    }),
    text: [
      ...body.map(({ text }) => text),
      textOf(action),
      ...after.map(({ text }) => text),
      ...(optional ? [[optional.because, ...optional.links.map(textOf)].join('\n')] : []),
      mail.t('Questions? Write to {email}.', { email: support_email }),
    ]
      .filter(Boolean)
      .join('\n\n'),
    headers: {
      // Vacation notices do not answer it (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(optional && {
        'List-Unsubscribe': `<${publicUrl}${optional.oneClick}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

const linkStyle = 'color:#6B1A30;'

/** Returns the reason for a mail and the links to turn it off. Several links have a line of their own. */
function footer({ because, links }: NonNullable<MailContent['optional']>, publicUrl: string): Html {
  const shown = links.map(
    ({ label, path }, index) =>
      html`${index > 0 ? ' · ' : ''}<a href="${publicUrl}${path}" style="${linkStyle}">${label}</a>`,
  )
  return html`${because}${links.length > 1 ? html`<br>` : ' '}${shown}.`
}

/** Returns a paragraph with line breaks between the texts. */
export function paragraph(first: string, ...others: readonly string[]): MailPart {
  return {
    html: html`<p style="margin:0 0 12px;">${first}${others.map((line) => html`<br>${line}`)}</p>`,
    text: [first, ...others].join('\n'),
  }
}

/** A name and its value. */
export type Fact = readonly [name: string, value: string]

/** Returns a table of the facts that have a value. `margin` is its CSS margin. */
export function factTable(facts: readonly Fact[], margin: string, { direction }: Translator): MailPart {
  const end = direction === 'rtl' ? 'left' : 'right'
  const known = facts.filter(([, value]) => value !== '')
  if (known.length === 0) return { html: html``, text: '' }
  const rows = known.map(
    ([name, value]) => html`<tr>
<td style="padding:12px 0;border-bottom:1px solid #E4DFDC;font-family:${font};font-size:14px;line-height:20px;color:#872338;">${name}</td>
<td align="${end}" style="padding:12px 0;border-bottom:1px solid #E4DFDC;font-family:${font};font-size:16px;line-height:20px;color:#292929;">${value}</td>
</tr>`,
  )
  return {
    html: html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-top:1px solid #C9C2C0;margin:${margin};">${rows}</table>`,
    text: known.map(([name, value]) => `${name}: ${value}`).join('\n'),
  }
}

/** A line with a link. `rest` is the HTML's text after the link, `text` the whole line before the URL in plain text. */
export interface LinkLine extends Link {
  readonly rest?: string
  readonly text: string
}

/** Returns an introduction and lines with links. */
export function linkList(introduction: string, lines: readonly LinkLine[]) {
  const line = (content: Html | string) => html`<p style="margin:0 0 4px;">${content}</p>`
  return (publicUrl: string): MailPart => {
    const shown = lines.map(({ label, path, rest = '' }) =>
      line(html`<a href="${publicUrl}${path}" style="${linkStyle}">${label}</a>${rest}`),
    )
    return {
      html: html`${line(introduction)}${shown}`,
      text: [introduction, ...lines.map(({ text, path }) => `${text} ${publicUrl}${path}`)].join('\n'),
    }
  }
}
