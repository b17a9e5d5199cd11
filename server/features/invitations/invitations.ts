import { apiBase } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { invitationMessages, stopInvitations } from '#contract/invitations.ts'
import type { Deps } from '#server/deps.ts'
import type { SendToUnconfirmed } from '#server/features/auth/mail-limit.ts'
import { hashOfToken } from '#server/features/auth/tokens.ts'
import { isBanned } from '#server/features/bans/bans.ts'
import { requestForInviter } from '#server/features/friends/friendship.ts'
import { mailedAvatarPath } from '#server/features/images/paths.ts'
import { sign } from '#server/features/keys/keys.ts'
import { hasBlockAmong } from '#server/features/members/blocks.ts'
import type { NotifyDeps } from '#server/features/notifications/notifications.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { jobKind, type RunningJob } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/render-mail.ts'
import type { Db, Tx } from '#server/tables.ts'
import { hashOfAddress } from './address-hash.ts'
import { findInviterBy, invitationPath } from './invitation-link.ts'
import { invitationMail, type MailedInviter } from './mails/invitation.ts'
import {
  countOtherInvitations,
  findInvitedAddress,
  findInvitedMember,
  findInviter,
  findWaitingInvitation,
  hasOptedOut,
  hasRefused,
  type InvitedMember,
  type InviterRow,
  insertInvitation,
  insertOptOut,
  lockInvitationsTo,
  updateInvitationClosed,
  updateInvitationToken,
} from './queries.ts'

export const sendInvitationMail = jobKind<{ user_id: number; invitation_id: number }>('send-invitation-mail')

type MailDeps = Pick<Deps, 'db' | 'mailer' | 'publicUrl' | 'translatorFor'>

/** Stores an invitation. A job checks the address later, so that neither the response nor its duration reveals whose it is. */
export async function createInvitation(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: number,
  email: string,
): Promise<{ message: string }> {
  await inTransaction(db, async (tx) => {
    const invitation_id = await insertInvitation(tx, {
      user_id: caller,
      email,
      email_hash: hashOfAddress(email),
    })
    await jobs.add(tx, sendInvitationMail, { user_id: caller, invitation_id })
  })
  return { message: invitationMessages.onItsWay }
}

const dayMs = 24 * 60 * 60 * 1000
/** The minimum time between two invitations from an inviter to an address. */
const minIntervalMs = 7 * dayMs
/** The maximum number of invitations to an address a day, from all inviters. */
const maxPerDay = 3

/**
 * Sends the mail of an invitation if its receiver may get it, and closes the invitation. The inviter's export does not show whether it
 * was sent, because that would reveal whose address it is.
 */
export async function sendInvitation(
  {
    db,
    mailer,
    sendToUnconfirmed,
    publicUrl,
    translatorFor,
  }: MailDeps & { sendToUnconfirmed: SendToUnconfirmed },
  { user_id, invitation_id }: { user_id: number; invitation_id: number },
  job: RunningJob,
): Promise<void> {
  const [inviter, waiting] = await Promise.all([
    findInviter(db, user_id),
    findWaitingInvitation(db, invitation_id),
  ])
  const { email, email_hash } = waiting ?? {}
  if (!email || !email_hash) return
  const member = await findInvitedMember(db, email)
  const isAllowed =
    inviter && !(await isBanned(db, { email })) && (!member || (await acceptsMail(db, member, user_id)))
  const token = isAllowed && (await claimInvitation(db, invitation_id, email_hash, user_id))
  if (!token) return updateInvitationClosed(db, invitation_id, { isSent: false })

  const send = async () => {
    const links = {
      answer: await invitationPath(db, inviter),
      stop: stopInvitationsPage(token),
      oneClick: `${apiBase}${stopInvitations.path}?token=${token}`,
    }
    // Somebody who is not a member is likely to speak the inviter's language.
    const t = translatorFor((member ?? inviter).language)
    await mailer.send(invitationMail(email, toMailedInviter(inviter), links, publicUrl, t), job)
    return true
  }
  // A member who may get the mail has a confirmed address.
  const isSent = member ? await send() : await sendToUnconfirmed(email, async () => void (await send()))
  await updateInvitationClosed(db, invitation_id, { isSent })
}

/**
 * Returns whether a member may receive the inviter's mail: their address is confirmed, they are not suspended and not the inviter, and
 * neither has blocked the other.
 */
async function acceptsMail(
  db: Db,
  { id, email_confirmed_at, suspended_at }: InvitedMember,
  inviter: number,
): Promise<boolean> {
  if (email_confirmed_at === null || suspended_at !== null || id === inviter) return false
  return !(await hasBlockAmong(db, [id, inviter]))
}

/**
 * Returns the token of an invitation's mail, which is the same at each attempt to send it. The invitation counts for the limits from
 * then on. Returns undefined if the address has unsubscribed, its mailbox has refused one, or the limits allow no other invitation to it.
 */
async function claimInvitation(
  db: Db,
  id: number,
  address: Buffer,
  inviter: number,
): Promise<string | undefined> {
  const token = await sign(db, 'stop-invitations', String(id))
  return inTransaction(db, async (tx) => {
    await lockInvitationsTo(tx, address)
    if (await hasOptedOut(tx, address)) return undefined
    if (await hasRefused(tx, address)) return undefined
    const others = await countOtherInvitations(
      tx,
      { id, email_hash: address, inviter },
      {
        fromAll: new Date(Date.now() - dayMs).toISOString(),
        fromInviter: new Date(Date.now() - minIntervalMs).toISOString(),
      },
    )
    if (others.fromAll >= maxPerDay || others.fromInviter > 0) return undefined
    await updateInvitationToken(tx, id, hashOfToken(token))
    return token
  })
}

/** Returns the path of the page that asks before it stops invitations. */
export function stopInvitationsPage(token: string): string {
  return `/stop-invitations?${new URLSearchParams({ token })}`
}

/** Returns the caller's invitation mail without the links of a receiver. Throws `not_authenticated` if the account is deleted. */
export async function previewMail(
  { db, mailer, publicUrl, translatorFor }: MailDeps,
  caller: number,
): Promise<Pick<Mail, 'subject' | 'html' | 'text'>> {
  const inviter = await findInviter(db, caller)
  if (!inviter) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  const links = { answer: await invitationPath(db, inviter), stop: '/stop-invitations', oneClick: '' }
  const t = translatorFor(inviter.language)
  const content = invitationMail('', toMailedInviter(inviter), links, publicUrl, t)
  const { subject, html, text } = mailer.render(content)
  return { subject, html, text }
}

/** Sends the inviter's friend request to a new member who registered with an invitation. Ignores an invalid one. */
export async function acceptInvitation(
  deps: NotifyDeps,
  tx: Tx,
  newMember: number,
  invite: string,
): Promise<void> {
  const inviter = await findInviterBy(tx, invite)
  if (inviter) await requestForInviter(deps, tx, inviter.id, newMember)
}

/** Stops invitations to the address of a token. Throws `bad_request` for an unknown token. */
export async function stopInvitationsTo(db: Db, token: string): Promise<{ message: string }> {
  const address = await findInvitedAddress(db, hashOfToken(token))
  if (!address) throw new AppError('bad_request', invitationMessages.stopInvalid)
  const isNew = await insertOptOut(db, address)
  return { message: isNew ? invitationMessages.stopped : invitationMessages.alreadyStopped }
}

function toMailedInviter({
  id,
  username,
  city,
  state,
  friend_count,
  picture_name,
}: InviterRow): MailedInviter {
  const path = mailedAvatarPath(picture_name)
  return { id, username, city, state, friend_count, picture: path && `${apiBase}/${path}` }
}
