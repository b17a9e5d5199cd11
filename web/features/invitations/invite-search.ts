import { parseMailedToken } from '#web/features/auth/mailed-token.ts'

/** The signed invitation in the address. */
export interface InviteSearch {
  invite?: string | undefined
}

export function parseInviteSearch({ invite }: { invite?: unknown }): InviteSearch {
  return { invite: parseMailedToken({ token: invite }).token }
}

/** Returns the id of the member whose link carries this invitation, or undefined if it has none. */
export function parseInviterId(invite: string): string | undefined {
  return /^\d+(?=\.)/.exec(invite)?.[0]
}

/** Whether the member comes from the friends, not from the registration. */
export interface InviteOrigin {
  from?: 'friends' | undefined
}

export function parseInviteOrigin({ from }: Record<string, unknown>): InviteOrigin {
  return { from: from === 'friends' ? from : undefined }
}
