import { defaultSiteName } from '#contract/constants.ts'
import type { SiteLogo } from '#contract/site-settings.ts'
import { type Html, html } from './html.ts'
import type { Translator } from './i18n/translator.ts'

export const font = "Besley, Georgia, 'Times New Roman', Verdana, sans-serif"

/** The declarations of the inline styles that differ where a mail program is dark. The button keeps its colors. */
const darkColors = {
  'background:#FFFFFF': 'background:#1A1516',
  'background:#FCF6F6': 'background:#241D1E',
  'background:#ECE9D8': 'background:#3A3530',
  'color:#292929': 'color:#F1EBE8',
  'color:#5E5959': 'color:#C9BFBC',
  'color:#872338': 'color:#EDB1BD',
  'color:#6B1A30': 'color:#EDB1BD',
  'solid #6B1A30': 'border-color:#A65A6D',
  'solid #D893A0': 'border-color:#5A3540',
  'solid #E4DFDC': 'border-color:#4A4041',
  'solid #C9C2C0': 'border-color:#4A4041',
} as const

/** Overrides inline styles by their text, so that no element needs a class. */
const darkStyle = Object.entries(darkColors).map(
  ([light, dark]) => html`[style*="${light}"] { ${dark} !important; } `,
)

/** Returns the HTML document of a mail, with tables and inline styles for mail programs. */
export function mailPage(mail: {
  publicUrl: string
  supportEmail: string
  siteName: string
  logo: SiteLogo | null
  t: Translator
  title: string
  body: Html
  action: { label: string; url: string }
  /** The preview text after the subject. */
  preview?: string
  /** The kind of mail, above the title. The title is then not in italics. */
  kind?: string
  /** The text below the action, and in the footer the reason for the mail. */
  after: Html | false
  foot: Html | undefined
}): string {
  const style = mail.kind ? 'normal' : 'italic'
  const small = `font-family:${font};font-size:14px;line-height:22px;color:#5E5959;overflow-wrap:anywhere;`
  return html`<!doctype html>
<html lang="${mail.t.language}" dir="${mail.t.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${mail.title}</title>
<style>@media (min-width: 481px) { .pad { padding-left: 40px !important; padding-right: 40px !important; } }
@media (prefers-color-scheme: dark) { ${darkStyle}.mark { background: #FCF6F6 !important; } .mark img, .mark span { color: #6B1A30 !important; } }</style>
</head>
<body style="margin:0;padding:0;background:#FFFFFF;">
${mail.preview ? html`<div style="display:none;max-height:0;overflow:hidden;">${mail.preview}</div>\n` : ''}<table role="presentation" dir="${mail.t.direction}" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#FFFFFF;">
  <tr><td align="center" style="padding:16px 12px 32px;">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;border:1px solid #6B1A30;">
      <tr><td style="padding:4px;">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border:1px solid #D893A0;">
          <tr><td class="mark" align="center" style="padding:20px 24px 16px;">${wordmark(mail)}</td></tr>
          <tr><td style="border-top:3px solid #6B1A30;border-bottom:1px solid #6B1A30;height:2px;line-height:2px;font-size:0;">&nbsp;</td></tr>
          <tr><td class="pad" style="padding:28px 24px 8px;word-break:break-word;">
            <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${mail.kind ? html`              <tr><td style="font-family:${font};font-size:10px;line-height:16px;letter-spacing:1.4px;text-transform:uppercase;font-weight:700;color:#872338;">${mail.kind}</td></tr>\n` : ''}              <tr><td style="padding:4px 0 16px;font-family:${font};font-size:28px;line-height:34px;font-weight:500;font-style:${style};color:#292929;overflow-wrap:anywhere;">${mail.title}</td></tr>
              <tr><td style="padding:0 0 12px;font-family:${font};font-size:16px;line-height:25px;color:#292929;overflow-wrap:anywhere;">${mail.body}</td></tr>
              <tr><td style="padding:4px 0 24px;"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="background:#6B1A30;border-radius:4px;"><a href="${mail.action.url}" style="display:inline-block;padding:15px 28px;font-family:${font};font-size:16px;line-height:18px;font-weight:600;color:#FFFFFF;text-decoration:none;">${mail.action.label}</a></td></tr></table></td></tr>
${mail.after ? html`              <tr><td style="padding:0 0 24px;${small}">${mail.after}</td></tr>\n` : ''}            </table>
          </td></tr>
          <tr><td class="pad" style="padding:20px 24px 24px;border-top:1px solid #E4DFDC;background:#FCF6F6;font-family:${font};font-size:12px;line-height:19px;color:#5E5959;overflow-wrap:anywhere;">${mail.foot ? html`${mail.foot}<br>` : ''}${questions(mail)}</td></tr>
        </table>
      </td></tr>
    </table>
  </td></tr>
</table>
</body>
</html>`.markup
}

/** The most that a logo takes up, in pixels. */
const maxLogo = { width: 280, height: 64 }

/** Returns the logo of the site, the drawn name, or the name that an operator has saved in its color and size. */
function wordmark({
  publicUrl,
  siteName,
  logo,
}: {
  publicUrl: string
  siteName: string
  logo: SiteLogo | null
}): Html {
  const style = `font-family:${font};font-size:28px;color:#6B1A30;`
  if (logo !== null) {
    const scale = Math.min(1, maxLogo.width / logo.width, maxLogo.height / logo.height)
    const [width, height] = [logo.width, logo.height].map((side) => Math.round(side * scale))
    return html`<img src="${publicUrl}${logo.jpeg}" width="${String(width)}" height="${String(height)}" alt="${siteName}" style="display:block;border:0;${style}">`
  }
  if (siteName !== defaultSiteName)
    return html`<span style="${style}line-height:36px;overflow-wrap:anywhere;">${siteName}</span>`
  return html`<img src="${publicUrl}/mail/wordmark.png" width="171" height="36" alt="${siteName}" style="display:block;border:0;${style}">`
}

/** Stands for the address in the sentence, where its link is inserted. */
const slot = '\uE000'

function questions({ t, supportEmail }: { t: Translator; supportEmail: string }): Html {
  const [before = '', after = ''] = t('Questions? Write to {email}.', { email: slot }).split(slot)
  return html`${before}<a href="mailto:${supportEmail}" style="color:#6B1A30;">${supportEmail}</a>${after}`
}
