import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/*
 * Which network addresses requests of the service may go to. Everything that is not a public address counts as
 * private: a person who can choose the address could otherwise read what only this machine can reach.
 */

/** Destinations that an operator has allowed. Used for outbound requests only. */
export interface Allowed {
  hasHost(host: string): boolean
  hasAddress(address: string): boolean
}

export const nothingAllowed: Allowed = { hasHost: () => false, hasAddress: () => false }

/** Parses addresses, networks (`10.0.0.0/8`) and host names; undefined when one of them is none of these. */
export function allowedDestinations(list: readonly string[]): Allowed | undefined {
  const networks: Network[] = []
  const hosts = new Set<string>()
  for (const one of list) {
    const network = parseNetwork(one)
    if (network !== undefined) networks.push(network)
    else if (isHostName(one)) hosts.add(plainHost(one))
    else return undefined
  }
  return {
    hasHost: (host) => hosts.has(plainHost(host)),
    hasAddress: (address) => isWithin(networks, address),
  }
}

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefixBits: number]

/** Parses an address or a CIDR range; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix] = text.split('/')
  // Stricter than ipaddr.js, which accepts `10.1` and octal numbers.
  const family = isIP(address)
  if (family === 0) return undefined
  if (prefix === undefined) return [ipaddr.parse(address), family === 4 ? 32 : 128]
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined
}

/** Whether the address is not one of the public Internet. */
export function isPrivate(address: string): boolean {
  if (isIP(address) === 0) return true
  return ipaddr.process(address).range() !== 'unicast' || isWithin(otherPrivateNetworks, address)
}

/** Whether clouds serve the credentials of the requesting machine there. */
export function isMetadata(address: string): boolean {
  return isWithin(metadataNetworks, address)
}

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'
}

/** Whether the name is for private networks, whatever it resolves to. */
export function isPrivateName(host: string): boolean {
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(plainHost(host))
}

/** A host in lower case, without the brackets of an address and the trailing dot of the root. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

function isWithin(networks: readonly Network[], address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  return networks.some((network) => parsed.kind() === network[0].kind() && parsed.match(network))
}

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const hostName = new RegExp(
  String.raw`^(?=.{1,253}$)(?!.*\.\d+$)(?!\d+$)${label}(?:\.${label})*$`,
  'i',
)

function isHostName(text: string): boolean {
  return isIP(text) === 0 && hostName.test(text)
}

// Public according to ipaddr.js.
const otherPrivateNetworks = parseNetworks([
  '168.63.129.16', // the host of an Azure machine
  '::/96', // IPv4-compatible addresses
])

const metadataNetworks = parseNetworks([
  '100.100.100.200',
  '168.63.129.16',
  '169.254.0.0/16',
  '192.0.0.192',
  'fd00:ec2::/32',
  'fe80::/10',
])

function parseNetworks(texts: readonly string[]): readonly Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text)
    if (network === undefined) throw new Error(`${text} is not a network`)
    return network
  })
}
