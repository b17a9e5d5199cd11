import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '#contract/messages.ts'
import type { SendAnswer } from '#contract/realtime.ts'
import { Actor } from '#test/actor.ts'
import { SocketClient } from '#test/socket-client.ts'
import type { Database } from './check.ts'

const pairConcurrency = 3
const pauseMs = 200
const timeoutMs = 3000

/** A client that sends two texts under each `client_id` at the same moment, and a receiver that listens. */
export async function openReusingClient(nodeUrl: string, socketUrl: string) {
  const [sender, receiver] = [new Actor(nodeUrl), new Actor(nodeUrl)]
  await sender.join({ username: 'reuser' })
  await receiver.join({ username: 'reuser_hears' })
  const connect = ({ token }: Actor) =>
    new SocketClient({ server: socketUrl, token }, { reconnection: true }).connected()
  const sending = await connect(sender)
  const listening = await connect(receiver)
  const acknowledged: Message[] = []
  let sent = 0

  async function send(client_id: string, text: string): Promise<void> {
    sent += 1
    const message = { receiver_id: receiver.id, content: `${text} ${sent}`, client_id }
    const answer: SendAnswer | undefined = await sending.socket
      .timeout(timeoutMs)
      .emitWithAck('send_message', message)
      // Its connection broke.
      .catch(() => undefined)
    if (answer?.ok) acknowledged.push(answer.message)
  }

  return {
    ids: [sender.id, receiver.id],
    /** Sends until told to stop. */
    async sendWhile(goesOn: () => boolean) {
      while (goesOn()) {
        if (sending.socket.connected) {
          const ids = Array.from({ length: pairConcurrency }, () => randomUUID())
          await Promise.all(ids.flatMap((id) => [send(id, 'this'), send(id, 'that')]))
        }
        await sleep(pauseMs)
      }
    },
    /** Returns what was acknowledged or delivered, since a message, and differs from what is stored. */
    wrong({ messages }: Database, since: number): string[] {
      const stored = new Map(messages.map(({ id, content }) => [id, content]))
      const unstored = (claimed: readonly Message[], how: string) =>
        claimed
          .filter(({ id, content }) => id > since && stored.get(id) !== content)
          .map(({ id, content }) => `message ${id} "${content}" was ${how} and is not stored`)
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
