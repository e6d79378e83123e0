import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The unit in which clients are counted: the IPv4 address, or the /64 of an IPv6 address, because one customer has
 * at least a /64 to choose addresses from. All spellings of an address have the same result.
 */
export function toClientNetwork(address: string): string {
  if (isIP(address) === 0) return address
  const parsed = ipaddr.process(address)
  if ('octets' in parsed) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}
