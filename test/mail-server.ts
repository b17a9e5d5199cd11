import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string[]
  readonly from: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly headers: ReadonlyMap<string, string>
}

/** A reply of an SMTP server, whose text may begin with an enhanced status code. */
export interface Reply {
  readonly code: number
  readonly text: string
}

/** Starts an SMTP server that stores the mails it receives. With a key and a certificate it offers STARTTLS. */
export async function startMailServer(tls?: { readonly key: string; readonly cert: string }) {
  const received: ReceivedMail[] = []
  let refusals = 0
  let lostReplies = 0
  const refused = new Map<string, Reply>()
  const server = new SMTPServer({
    authOptional: true,
    ...(tls ?? { disabledCommands: ['STARTTLS'] }),
    hideENHANCEDSTATUSCODES: true,
    onRcptTo({ address }, _session, done) {
      const reply = refused.get(address)
      done(reply && Object.assign(new Error(reply.text), { responseCode: reply.code }))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        if (refusals > 0) {
          refusals -= 1
          done(new Error('Try again later'))
          return
        }
        const mail = await PostalMime.parse(Buffer.concat(parts))
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          from: mail.from?.address ?? '',
          subject: mail.subject ?? '',
          html: mail.html ?? '',
          text: mail.text ?? '',
          headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
        })
        if (lostReplies > 0) {
          lostReplies -= 1
          done(new Error('The reply is lost'))
          return
        }
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** Refuses the next `count` mails. */
    refuseNext(count: number) {
      refusals = count
    },
    /** Answers every mail to an address with a reply, or accepts them again. */
    answer(address: string, reply: Reply | undefined) {
      if (reply) refused.set(address, reply)
      else refused.delete(address)
    },
    /** Accepts the next `count` mails, but answers that it does not, like a connection that is lost before the reply. */
    loseReplies(count: number) {
      lostReplies = count
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
