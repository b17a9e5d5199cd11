import type { Socket as AnySocket, Server } from 'socket.io'
import type { Caller } from '#server/platform/http/route.ts'

type Outgoing = Record<string, (payload: unknown) => void>
type None = Record<string, never>
type Data = { member: Caller }

export type Socket = AnySocket<None, Outgoing, None, Data>
export type SocketServer = Server<None, Outgoing, None, Data>

/** Returns the room of all sockets of a member. */
export function roomOf(userId: number): string {
  return `member ${userId}`
}
