import { type Html, html } from '#server/platform/html.ts'
import { factTable, type MailContent, paragraph } from '#server/platform/render-mail.ts'

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

/** The paths of the mail's links. `answer` is the inviter's invitation link. */
interface Links {
  readonly answer: string
  readonly stop: string
  /** The path of the one-click unsubscribe URL (RFC 8058). */
  readonly oneClick: string
}

/** Returns the mail with public data of the inviter, without free text that could contain advertisements. */
export function invitationMail(
  to: string,
  inviter: MailedInviter,
  links: Links,
  publicUrl: string,
): MailContent {
  const { username, friend_count } = inviter
  const title = `${username} would like to be your friend`
  const stranger = `If you do not know ${username}, you can leave this unanswered. Nothing happens until you accept.`
  const where = [inviter.city, inviter.state].filter(isPlainName).join(', ')
  return {
    to,
    subject: title,
    preview: `${username} invites you to Rhubarb.`,
    kind: 'Friend invitation',
    title,
    body: [
      { html: photoOrDrawing(inviter, publicUrl), text: title },
      paragraph(
        'Hello,',
        'As friends you see the listings the other keeps off the public market, and the first zucchini.',
      ),
      'Rhubarb is where neighbors list the produce, seeds and plants they have, to sell, exchange or give away. It is free.',
      factTable(
        [
          ['Where', where],
          ['Friends', friend_count === 0 ? '' : String(friend_count)],
        ],
        '16px 0 8px',
      ),
    ],
    action: { label: 'Answer the invitation', path: links.answer },
    after: [{ html: html`${stranger}`, text: stranger }],
    optional: {
      because: `You get this note because ${username} gave us your address. We keep it for this note only.`,
      links: [{ label: 'Never send me invitations again', path: links.stop }],
      oneClick: links.oneClick,
    },
  }
}

/** Returns whether a member's city or state is a plain name of a few words, without anything that mail programs turn into a link. */
function isPlainName(text: string | null): boolean {
  return text !== null && /^(?:[\p{L}\p{M} ,'’()-]|\.(?= |$)){1,40}$/u.test(text)
}

/** Returns the inviter's photo or a drawing, with alternative text. */
function photoOrDrawing({ picture, username }: MailedInviter, publicUrl: string): Html {
  const source = publicUrl + (picture ?? '/mail/rhubarb.jpg')
  const alt = picture ? username : 'A bunch of rhubarb'
  return html`<img src="${source}" width="96" height="96" alt="${alt}" style="display:block;border:0;border-radius:48px;margin:4px 0 20px;">`
}
