import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '#contract/messages.ts'
import type { ProblemCode } from '#contract/problem.ts'
import type { SendAcknowledgement } from '#contract/realtime.ts'
import { Actor } from '#test/actor.ts'
import { SocketClient } from '#test/socket-client.ts'
import type { Database } from './check.ts'
import type { Refusal } from './try-again.ts'

const pairConcurrency = 3
const pauseMs = 200
const timeoutMs = 3000
/** The refusal of one of the two texts. */
const reused: ProblemCode = 'client_id_reused'

/**
 * Opens a client that sends two texts concurrently under each `client_id`, and a receiver. Calls `refused` for each error that the
 * server acknowledges, except that of a reused id, and if it refuses a connection.
 */
export async function openReusingClient(
  nodeUrl: string,
  socketUrl: string,
  refused: (error: Refusal) => void,
) {
  const [sender, receiver] = [new Actor(nodeUrl), new Actor(nodeUrl)]
  await sender.join({ username: 'reuser' })
  await receiver.join({ username: 'reuser_receiver' })
  const connect = ({ token }: Actor) =>
    new SocketClient({ server: socketUrl, token }, { reconnection: true }).connected()
  const sending = await connect(sender)
  const listening = await connect(receiver)
  for (const { socket } of [sending, listening])
    socket.on('connect_error', ({ message }) => {
      // Otherwise the connection failed, and the client reconnects.
      if (!socket.active) refused({ status: 0, detail: message })
    })
  const acknowledged: Message[] = []
  let sent = 0

  async function send(client_id: string, text: string): Promise<void> {
    sent += 1
    const message = { receiver_id: receiver.id, content: `${text} ${sent}`, client_id }
    const response: SendAcknowledgement | undefined = await sending.socket
      .timeout(timeoutMs)
      .emitWithAck('send_message', message)
      // The connection failed.
      .catch(() => undefined)
    if (response?.ok) acknowledged.push(response.message)
    else if (response && response.code !== reused) refused(response)
  }

  return {
    /** Sends as long as `isActive` returns true. */
    async sendWhile(isActive: () => boolean) {
      while (isActive()) {
        if (sending.socket.connected) {
          const ids = Array.from({ length: pairConcurrency }, () => randomUUID())
          await Promise.all(ids.flatMap((id) => [send(id, 'this'), send(id, 'that')]))
        }
        await sleep(pauseMs)
      }
    },
    /** Returns messages after an id that were acknowledged or delivered but are not stored. */
    violations({ messages }: Database, since: number): string[] {
      const stored = new Map(messages.map(({ id, content }) => [id, content]))
      const unstored = (claimed: readonly Message[], event: string) =>
        claimed
          .filter(({ id, content }) => id > since && stored.get(id) !== content)
          .map(({ id, content }) => `message ${id} "${content}" was ${event} and is not stored`)
      return [
        ...unstored(acknowledged, 'acknowledged'),
        ...unstored(listening.received('new_message'), 'delivered'),
      ]
    },
    [Symbol.dispose]() {
      sending[Symbol.dispose]()
      listening[Symbol.dispose]()
    },
  }
}

export type ReusingClient = Awaited<ReturnType<typeof openReusingClient>>
