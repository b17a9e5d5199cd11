// The process of the clients. Reads its options as JSON and prints the measurements as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sample, sampleOf } from '../sample.ts'
import { openSocketIo, openXmpp, type Wire } from './wire.ts'

export interface ClientOptions {
  readonly port: number
  readonly protocol: 'socket.io' | 'xmpp'
  readonly members: readonly { readonly id: number; readonly token: string }[]
  readonly seconds: number
  /** The number of members who write, each to the next one, who listens. */
  readonly writers: number
  /** The total rate in messages per second. Undefined sends each next message after the acknowledgement of the last. */
  readonly perSecond: number | undefined
}

const words = 'Do you still have some of the rhubarb you listed? I could come by on Saturday morning.'

async function run(options: ClientOptions): Promise<Sample> {
  const { seconds, writers, perSecond } = options
  const traffic = await openTraffic(options)
  const start = performance.now()
  const end = start + seconds * 1000
  if (perSecond === undefined) for (let index = 0; index < writers * 2; index += 2) traffic.write(index)
  let written = 0
  while (performance.now() < end) {
    await sleep(perSecond === undefined ? 50 : 1)
    if (perSecond === undefined) continue
    const due = ((performance.now() - start) / 1000) * perSecond
    for (; written < due; written += 1) traffic.write((written % writers) * 2)
  }
  const perSecondAcknowledged = traffic.acknowledged() / ((performance.now() - start) / 1000)
  return sampleOf(perSecondAcknowledged, await traffic.finish())
}

/** Connects the members, and measures the time of each message from the writer to the listener. */
async function openTraffic({ port, protocol, members, writers, perSecond }: ClientOptions) {
  const latencies: number[] = []
  const sentAt = new Map<string, number>()
  let acknowledged = 0
  let refused: string | undefined
  let nextNumber = 0
  let isOver = false
  const wires: Wire[] = []
  const isWriter = (index: number) => index < writers * 2 && index % 2 === 0

  function write(index: number) {
    const receiver = members[index + 1]
    const wire = wires[index]
    if (!receiver || !wire) return
    nextNumber += 1
    sentAt.set(String(nextNumber), performance.now())
    wire.send(nextNumber, receiver.id, `${nextNumber} ${words}`)
  }

  /** Counts an acknowledgement. Without a rate it sends the next message. */
  function countAcknowledged(index: number) {
    acknowledged += 1
    if (perSecond === undefined && !isOver) write(index)
  }

  for (const [index, { id, token }] of members.entries()) {
    const listener = {
      acknowledged(refusal: string | undefined) {
        refused ??= refusal
        countAcknowledged(index)
      },
      received(number: string) {
        if (isWriter(index)) return
        const sent = sentAt.get(number)
        if (sent === undefined) return
        latencies.push(performance.now() - sent)
        sentAt.delete(number)
        if (protocol === 'xmpp') countAcknowledged(index - 1)
      },
    }
    const opening = protocol === 'xmpp' ? openXmpp(port, id, listener) : openSocketIo(port, token, listener)
    wires.push(await opening)
  }

  return {
    write,
    acknowledged: () => acknowledged,
    /** Waits for messages on their way, and disconnects. Returns the latencies in milliseconds. Throws if a message is lost or refused. */
    async finish() {
      isOver = true
      const deadline = performance.now() + 5000
      while (sentAt.size > 0 && performance.now() < deadline) await sleep(20)
      if (refused !== undefined) throw new Error(`The server refused a message: ${refused}`)
      if (sentAt.size > 0) throw new Error(`${sentAt.size} messages were not received`)
      for (const wire of wires) wire.end()
      return latencies
    },
  }
}

/** Connects, reports it, and stays until the end of the run. */
async function idle({ port, members }: ClientOptions): Promise<void> {
  const nobody = { acknowledged() {}, received() {} }
  for (const { token } of members) await openSocketIo(port, token, nobody)
  process.stdout.write('connected\n')
  for await (const _ of process.stdin);
}

const [kind] = process.argv.slice(2)
const [line = ''] = await new Promise<string[]>((resolve) => {
  let text = ''
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', function read(part: string) {
    text += part
    if (!text.includes('\n')) return
    process.stdin.off('data', read)
    resolve(text.split('\n'))
  })
})
const options: ClientOptions = JSON.parse(line)
if (kind === 'idle') await idle(options)
else {
  const sample = JSON.stringify(await run(options))
  // `process.exit` would drop output that the pipe has not accepted yet.
  await new Promise((written) => process.stdout.write(sample, written))
}
process.exit(0)
