import { type Html, html } from '#server/platform/html.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
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
  t: Translator,
): MailContent {
  const { username, friend_count } = inviter
  const title = t('{username} would like to be your friend', { username })
  const stranger = t(
    'If you do not know {username}, you can leave this unanswered. Nothing happens until you accept.',
    { username },
  )
  const where = [inviter.city, inviter.state].filter(isPlainName).join(', ')
  return {
    to,
    t,
    subject: title,
    preview: t('{username} invites you to {site}.', { username, site: t.siteName }),
    kind: t('Friend invitation'),
    title,
    body: [
      { html: photoOrDrawing(inviter, publicUrl, t), text: title },
      paragraph(
        t('Hello,'),
        t('As friends you see the listings the other keeps off the public market, and the first zucchini.'),
      ),
      t(
        '{site} is where neighbors list the produce, seeds and plants they have, to sell, exchange or give away. It is free.',
        { site: t.siteName },
      ),
      factTable(
        [
          [t('Where'), where],
          [t('Friends'), friend_count === 0 ? '' : t.number(friend_count)],
        ],
        '16px 0 8px',
        t,
      ),
    ],
    action: { label: t('Answer the invitation'), path: links.answer },
    after: [{ html: html`${stranger}`, text: stranger }],
    optional: {
      because: t(
        'You get this note because {username} gave us your address. We keep it for this note only.',
        {
          username,
        },
      ),
      links: [{ label: t('Never send me invitations again'), path: links.stop }],
      oneClick: links.oneClick,
    },
  }
}

/** Returns whether a member's city or state is a plain name of a few words, without anything that mail programs turn into a link. */
function isPlainName(text: string | null): boolean {
  return text !== null && /^(?:[\p{L}\p{M} ,'’()-]|\.(?= |$)){1,40}$/u.test(text)
}

/** Returns the inviter's photo or a drawing, with alternative text. */
function photoOrDrawing({ picture, username }: MailedInviter, publicUrl: string, t: Translator): Html {
  const source = publicUrl + (picture ?? '/mail/rhubarb.jpg')
  const alt = picture ? username : t('A bunch of rhubarb')
  return html`<img src="${source}" width="96" height="96" alt="${alt}" style="display:block;border:0;border-radius:48px;margin:4px 0 20px;">`
}
