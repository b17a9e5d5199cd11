import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The target of new connections: fixed, or read for each; undefined refuses them. */
type Target = string | (() => string | undefined)

/** A way to a server that a test can cut and mend, or hold up: what a network does to a database. */
export async function cuttableLink(target: Target) {
  const lines = new Set<{ near: Socket; far: Socket }>()
  let isCut = false
  let isStalled = false
  const link = createServer((near) => {
    const now = typeof target === 'string' ? target : target()
    if (isCut || now === undefined) {
      near.destroy()
      return
    }
    const { hostname, port } = new URL(now)
    const far = connect({ host: hostname, port: Number(port) })
    const line = { near, far }
    lines.add(line)
    for (const socket of [near, far]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        lines.delete(line)
        near.destroy()
        far.destroy()
      })
    }
    if (!isStalled) near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => link.listen(0, '127.0.0.1', resolve))
  const url = new URL((typeof target === 'string' ? target : target()) ?? 'http://127.0.0.1')
  url.host = `127.0.0.1:${(link.address() as AddressInfo).port}`

  function cut() {
    isCut = true
    for (const { near, far } of lines) {
      near.destroy()
      far.destroy()
    }
  }
  return {
    /** The target's URL by way of this link. */
    url: url.href,
    cut,
    /** Takes what is sent, and delivers it later. */
    stall() {
      if (isStalled) return
      isStalled = true
      for (const { near, far } of lines) {
        near.unpipe(far)
        far.unpipe(near)
      }
    },
    /** Whole again, and what was held up goes on its way. */
    mend() {
      isCut = false
      if (!isStalled) return
      isStalled = false
      for (const { near, far } of lines) near.pipe(far).pipe(near)
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => link.close(resolve))
    },
  }
}
