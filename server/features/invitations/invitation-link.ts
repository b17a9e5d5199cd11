import { errorMessages } from '#contract/error-messages.ts'
import { type Inviter, invitationMessages } from '#contract/invitations.ts'
import type { Deps } from '#server/deps.ts'
import { isSigned, sign } from '#server/features/keys/keys.ts'
import { endInvitationLinks } from '#server/features/members/profile.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { findInviter, type InviterRow } from './queries.ts'

/** Signatures have 128 bits to keep the QR code small. */
const signatureBytes = 16

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

/** Returns the data of the inviter that guests see. Throws `not_found` for a forged or replaced link. */
export async function publicInviter(db: Db, invite: string): Promise<Inviter> {
  const inviter = await findInviterBy(db, invite)
  if (!inviter) throw new AppError('not_found', invitationMessages.linkInvalid)
  const { id, username, city, state, profile_picture } = inviter
  return { id, username, city, state, profile_picture }
}

/** Returns the inviter of a link's token. Undefined for a forged or replaced link, or if the inviter is suspended or deleted. */
export async function findInviterBy(db: Db, invite: string): Promise<InviterRow | undefined> {
  const [, id, signature = ''] = /^(\d{1,15})\.(.*)$/.exec(invite) ?? []
  const member = id === undefined ? undefined : await findInviter(db, Number(id))
  if (!member) return undefined
  const signed = `${member.id}.${member.invitation_version}`
  return (await isSigned(db, 'invitation', signed, signature, signatureBytes)) ? member : undefined
}
