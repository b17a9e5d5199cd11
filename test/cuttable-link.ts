import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that a test can cut and mend: what a network does to a database. */
export async function cuttableLink(target: string) {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let isCut = false
  const link = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect({ host: hostname, port: Number(port) })
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => link.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(link.address() as AddressInfo).port}`

  function cut() {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    /** The target's URL by way of this link. */
    url: url.href,
    cut,
    mend() {
      isCut = false
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => link.close(resolve))
    },
  }
}
