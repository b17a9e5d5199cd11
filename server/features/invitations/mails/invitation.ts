import { type Html, html } from '#server/platform/html.ts'
import type { Mail } from '#server/platform/mail.ts'
import { mailPage } from '#server/platform/mail-page.ts'
import type { MailContext } from '#server/platform/render-mail.ts'

/** The inviter as the mail shows them. */
export interface MailedInviter {
  readonly id: number
  readonly username: string
  readonly city: string | null
  readonly state: string | null
  readonly friend_count: number
  /** The path of their photo below the public URL. */
  readonly picture: string | null
}

/** The links of the mail. `answer` is the inviter's invitation link. */
interface Links {
  readonly answer: string
  readonly stop: string
  /** The one-click unsubscribe URL (RFC 8058). */
  readonly oneClick: string
}

/** Returns the mail with public data of the inviter, without free text that could contain advertisements. */
export function invitationMail(to: string, inviter: MailedInviter, links: Links, context: MailContext): Mail {
  const { publicUrl } = context
  const { username } = inviter
  const title = `${username} would like to be your friend`
  const benefits =
    'As friends you see the listings the other keeps off the public market, and the first zucchini.'
  const about =
    'Rhubarb is where neighbors list the produce, seeds and plants they have, to sell, exchange or give away. It is free.'
  const stranger = `If you do not know ${username}, you can leave this unanswered. Nothing happens until you accept.`
  const because = `You get this note because ${username} gave us your address. We keep it for this note only.`
  const stop = 'Never send me invitations again'
  const details: [string, string][] = [
    ['Where', [inviter.city, inviter.state].filter(isPlainName).join(', ')],
    ['Friends', String(inviter.friend_count)],
  ]
  const shownDetails = details.filter(([, value]) => value !== '' && value !== '0')

  return {
    to,
    subject: title,
    html: mailPage({
      ...context,
      preview: `${username} invites you to Rhubarb.`,
      kind: 'Friend invitation',
      title,
      body: html`${photoOrDrawing(inviter, publicUrl)}<p style="margin:0 0 12px;">Hello,<br>${benefits}</p><p style="margin:0 0 12px;">${about}</p>${tableOf(shownDetails)}`,
      action: { label: 'Answer the invitation', url: links.answer },
      after: html`${stranger}`,
      foot: html`${because} <a href="${links.stop}" style="color:#6B1A30;">${stop}</a>.`,
    }),
    text: [
      title,
      'Hello,',
      benefits,
      about,
      ...(shownDetails.length > 0
        ? [shownDetails.map(([name, value]) => `${name}: ${value}`).join('\n')]
        : []),
      `Answer the invitation: ${links.answer}`,
      stranger,
      because,
      `${stop}: ${links.stop}`,
      `Questions? Write to ${context.supportEmail}.`,
    ].join('\n\n'),
    headers: {
      'List-Unsubscribe': `<${links.oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** Returns whether a member's city or state is a plain name of a few words, without anything that mail programs turn into a link. */
function isPlainName(text: string | null): boolean {
  return text !== null && /^(?:[\p{L}\p{M} ,'’()-]|\.(?= |$)){1,40}$/u.test(text)
}

const font = "Besley, Georgia, 'Times New Roman', Verdana, sans-serif"

/** Returns the inviter's photo or a drawing, with alternative text. */
function photoOrDrawing({ picture, username }: MailedInviter, publicUrl: string): Html {
  const source = publicUrl + (picture ?? '/mail/rhubarb.jpg')
  const alt = picture ? username : 'A bunch of rhubarb'
  return html`<img src="${source}" width="96" height="96" alt="${alt}" style="display:block;border:0;border-radius:48px;margin:4px 0 20px;">`
}

function tableOf(details: readonly [string, string][]): Html {
  if (details.length === 0) return html``
  const rows = details.map(
    ([name, value]) => html`<tr>
<td style="padding:12px 0;border-bottom:1px solid #E4DFDC;font-family:${font};font-size:14px;line-height:20px;color:#872338;">${name}</td>
<td align="right" style="padding:12px 0;border-bottom:1px solid #E4DFDC;font-family:${font};font-size:16px;line-height:20px;color:#292929;">${value}</td>
</tr>`,
  )
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-top:1px solid #C9C2C0;margin:16px 0 8px;">${rows}</table>`
}
