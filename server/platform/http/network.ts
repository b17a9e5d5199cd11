import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Returns the network of a client: an IPv4 address, or the /64 network of an IPv6 address, because a household has a whole /64. The same
 * network is always written in the same way.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const written = canonical(plain)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(written)
  if (mapped) return mapped.slice(1).flatMap(bytesOf).join('.')
  return `${canonical(`${groupsOf(written).slice(0, 4).join(':')}::`)}/64`
}

/** Returns the network of an address, or a network as `networkOf` returns it; undefined for another text. */
export function readNetwork(text: string): string | undefined {
  const [address = '', bits, ...others] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || others.length > 0) return undefined
  const network = networkOf(address)
  const ownBits = isIPv6(network.split('/')[0] ?? '') ? '64' : '32'
  return bits === undefined || bits === ownBits ? network : undefined
}

/** Returns whether a network and one of others, as addresses or with their bits, have an address in common. */
export function overlaps(network: string, others: readonly string[]): boolean {
  return others.some((other) => contains(network, other) || contains(other, network))
}

/** The addresses by which a machine names itself. */
export const loopback = ['127.0.0.0/8', '::1']

function contains(network: string, other: string): boolean {
  const [address = '', bits] = network.split('/')
  const family = familyOf(address)
  const list = new BlockList()
  list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  const [first = ''] = other.split('/')
  return list.check(first, familyOf(first))
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Writes an IPv6 address as the URL standard does. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [first = [], last] = address.split('::').map((part) => part.split(':').filter(Boolean))
  if (last === undefined) return first
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 255]
}
