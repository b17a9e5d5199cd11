import type { Transaction } from 'kysely'
import { apiBase } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { invitationMessages, stopInvitations } from '#contract/invitations.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import type { SendToUnconfirmed } from '#server/features/auth/mail-limit.ts'
import { hashOfToken, newToken } from '#server/features/auth/tokens.ts'
import { requestForInviter } from '#server/features/friends/friendship.ts'
import { mailedAvatarPath } from '#server/features/images/paths.ts'
import { AppError } from '#server/platform/errors.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail.ts'
import type { Tables } from '#server/tables.ts'
import { findInviterBy, invitationLink } from './invitation-link.ts'
import { friendInvitation, type Inviter } from './mails/invitation.ts'
import {
  countInvitationsTo,
  findInvitedAddress,
  findInvitedMember,
  findInviter,
  findWaitingInvitation,
  hasOptedOut,
  type InviterRow,
  insertInvitation,
  insertOptOut,
  updateInvitationClosed,
  updateInvitationToken,
} from './queries.ts'

export const sendInvitationMail = jobKind<{ user_id: number; invitation_id: number }>('send-invitation-mail')

type Sender = Pick<Deps, 'publicUrl' | 'site'>

/** Stores an invitation. A job checks the address later, so that neither response nor duration reveals whose it is. */
export async function createInvitation(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: number,
  email: string,
): Promise<{ message: string }> {
  await db.transaction().execute(async (tx) => {
    const invitation_id = await insertInvitation(tx, {
      user_id: caller,
      email,
      email_hash: hashOfAddress(email),
    })
    await jobs.add(tx, sendInvitationMail, { user_id: caller, invitation_id })
  })
  return { message: invitationMessages.onItsWay }
}

const day = 24 * 60 * 60 * 1000
/** Limits invitations: one a week from an inviter to an address, and a few a day to an address from all. */
const minIntervalMs = 7 * day
const maxPerDay = 3

/**
 * Sends an invitation if the receiver accepts it. The inviter's export is the same otherwise, so that it does not reveal whose address
 * it is.
 */
export async function sendInvitation(
  {
    db,
    mailer,
    sendToUnconfirmed,
    publicUrl,
    site,
  }: Sender & Pick<Deps, 'db' | 'mailer'> & { sendToUnconfirmed: SendToUnconfirmed },
  { user_id, invitation_id }: { user_id: number; invitation_id: number },
): Promise<void> {
  const [inviter, waiting] = await Promise.all([
    findInviter(db, user_id),
    findWaitingInvitation(db, invitation_id),
  ])
  const { email, email_hash } = waiting ?? {}
  if (!email || !email_hash) return
  const member = await findInvitedMember(db, email, user_id)
  const isAllowed = member?.accepts_mail !== false && (await mayInvite(db, email_hash, user_id))
  if (!inviter || !isAllowed) return updateInvitationClosed(db, invitation_id, { isSent: false })

  const send = async () => {
    const { token, hash } = newToken()
    await updateInvitationToken(db, invitation_id, hash)
    const links = {
      answer: await invitationLink({ db, publicUrl }, inviter),
      stop: `${publicUrl}/stop-invitations?token=${token}`,
      oneClick: `${publicUrl}${apiBase}${stopInvitations.path}?token=${token}`,
    }
    await mailer.send(
      friendInvitation(email, toInviter(inviter), links, { publicUrl, supportEmail: site.support_email }),
    )
    return true
  }
  // A member who accepts mail has confirmed the address.
  const isSent = member ? await send() : await sendToUnconfirmed(email, async () => void (await send()))
  await updateInvitationClosed(db, invitation_id, { isSent })
}

async function mayInvite(db: Deps['db'], address: Buffer, inviter: number): Promise<boolean> {
  if (await hasOptedOut(db, address)) return false
  const sent = await countInvitationsTo(db, address, inviter, {
    fromAll: new Date(Date.now() - day).toISOString(),
    fromInviter: new Date(Date.now() - minIntervalMs).toISOString(),
  })
  return sent.fromAll < maxPerDay && sent.fromInviter === 0
}

/** Returns a preview of the caller's invitation mail, without the receiver's opt-out link. Throws `not_authenticated`. */
export async function showInvitation(
  { db, publicUrl, site }: Sender & Pick<Deps, 'db'>,
  caller: number,
): Promise<Pick<Mail, 'subject' | 'html' | 'text'>> {
  const inviter = await findInviter(db, caller)
  if (!inviter) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  const answer = await invitationLink({ db, publicUrl }, inviter)
  const links = { answer, stop: `${publicUrl}/stop-invitations`, oneClick: publicUrl }
  const { subject, html, text } = friendInvitation('', toInviter(inviter), links, {
    publicUrl,
    supportEmail: site.support_email,
  })
  return { subject, html, text }
}

/** Sends the inviter's friend request to a new member who registered with an invitation. Ignores an invalid one. */
export async function acceptInvitation(
  deps: Publisher,
  tx: Transaction<Tables>,
  newMember: number,
  invite: string,
): Promise<void> {
  const inviter = await findInviterBy(tx, invite)
  if (inviter) await requestForInviter(deps, tx, inviter.id, newMember)
}

/** Stops invitations to an address, of which only the hash is stored. Throws `bad_request`. */
export async function stopInviting(db: Deps['db'], token: string): Promise<{ message: string }> {
  const address = await findInvitedAddress(db, hashOfToken(token))
  if (!address) throw new AppError('bad_request', invitationMessages.stopInvalid)
  await insertOptOut(db, address)
  return { message: invitationMessages.stopped }
}

function toInviter({ picture_name, invitation_version: _, ...inviter }: InviterRow): Inviter {
  const path = mailedAvatarPath(picture_name)
  return { ...inviter, picture: path && `${apiBase}/${path}` }
}

function hashOfAddress(email: string): Buffer {
  return hashOfToken(email.toLowerCase())
}
