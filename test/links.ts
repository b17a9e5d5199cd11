import type { ReceivedMail } from './mail-server.ts'

/** Returns the token in the link of a mail's plain text. */
export function tokenIn(mail: Pick<ReceivedMail, 'text'> | undefined): string {
  const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  if (!token) throw new Error(`There is no token in this mail: ${mail?.text}`)
  return token
}
