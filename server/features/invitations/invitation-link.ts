import { errorMessages } from '#contract/error-messages.ts'
import { type Inviter, invitationMessages } from '#contract/invitations.ts'
import type { Deps } from '#server/deps.ts'
import { isSigned, isSignedAmong, sign } from '#server/features/keys/keys.ts'
import { endInvitationLinks } from '#server/features/members/profile.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { findInviter, type InviterRow } from './queries.ts'

/** Signatures have 128 bits to keep the QR code small. */
const signatureBytes = 16

/** The number of a member's last replaced links that are known as replaced. */
const knownReplacedLinks = 100

type LinkDeps = Pick<Deps, 'db' | 'publicUrl'>

/** Returns the caller's invitation link. Throws `not_authenticated` if the account is deleted. */
export async function ownLink({ db, publicUrl }: LinkDeps, caller: number): Promise<{ url: string }> {
  const member = await findInviter(db, caller)
  if (!member) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  return { url: publicUrl + (await invitationPath(db, member)) }
}

/** Invalidates the caller's invitation link and returns a new one. Throws `not_authenticated` if the account is deleted. */
export async function replaceLink({ db, publicUrl }: LinkDeps, caller: number): Promise<{ url: string }> {
  await endInvitationLinks(db, caller)
  return ownLink({ db, publicUrl }, caller)
}

/** Returns the path of a member's profile with a signed invitation. */
export async function invitationPath(db: Db, { id, invitation_version }: InviterRow): Promise<string> {
  const signature = await sign(db, 'invitation', `${id}.${invitation_version}`, signatureBytes)
  return `/seller/${id}?invite=${id}.${signature}`
}

/** Returns the data of the inviter that guests see. Throws `not_found` with the reason if the link is not valid. */
export async function publicInviter(db: Db, invite: string): Promise<Inviter> {
  const inviter = await findInviterBy(db, invite)
  if (!inviter) throw new AppError('not_found', await refusalOf(db, invite))
  const { id, username, city, state, profile_picture } = inviter
  return { id, username, city, state, profile_picture }
}

/** Returns the inviter of a link's token. Undefined for a forged or replaced link, or if the inviter is suspended or deleted. */
export async function findInviterBy(db: Db, invite: string): Promise<InviterRow | undefined> {
  const { id, signature } = parseInvite(invite)
  const member = id === undefined ? undefined : await findInviter(db, id)
  if (!member) return undefined
  const signed = `${member.id}.${member.invitation_version}`
  return (await isSigned(db, 'invitation', signed, signature, signatureBytes)) ? member : undefined
}

/**
 * Returns why a link's token invites nobody. Only who has a signed link can learn that its member is suspended or has left, and not
 * which of both. As many signatures are compared for an id without a member, so that the duration does not reveal members.
 */
async function refusalOf(db: Db, invite: string): Promise<string> {
  const { id, signature } = parseInvite(invite)
  if (id === undefined) return invitationMessages.linkUnknown
  const member = await findInviter(db, id)
  const oldest = Math.max(1, (member?.invitation_version ?? 0) - knownReplacedLinks)
  const signed = Array.from({ length: knownReplacedLinks + 1 }, (_, nth) => `${id}.${oldest + nth}`)
  if (!(await isSignedAmong(db, 'invitation', signed, signature, signatureBytes)))
    return invitationMessages.linkUnknown
  return member ? invitationMessages.linkReplaced : invitationMessages.linkInvalid
}

/** Returns the member's id and the signature of a link's token. The id is undefined if the token has another form. */
function parseInvite(invite: string): { id: number | undefined; signature: string } {
  const [, id, signature = ''] = /^(\d{1,15})\.(.*)$/.exec(invite) ?? []
  return { id: id === undefined ? undefined : Number(id), signature }
}
