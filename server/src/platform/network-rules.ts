import { BlockList, isIP } from 'node:net'

/*
 * Which network addresses a request of ours may go to. Everything that is not plainly a public address is
 * private: whoever names it could otherwise read what only this machine can reach.
 */

/** What an operator opened on purpose. It decides where requests may go to, and nothing else. */
export interface Allowed {
  hasHost(host: string): boolean
  hasAddress(address: string): boolean
}

export const nothingAllowed: Allowed = { hasHost: () => false, hasAddress: () => false }

/** Reads addresses, networks (`10.0.0.0/8`) and host names; undefined when one of them is none of these. */
export function allowedDestinations(list: readonly string[]): Allowed | undefined {
  const networks = new BlockList()
  const hosts = new Set<string>()
  for (const one of list) {
    if (isHostName(one)) hosts.add(plainHost(one))
    else if (!addNetwork(networks, one)) return undefined
  }
  return {
    hasHost: (host) => hosts.has(plainHost(host)),
    hasAddress: (address) => networks.check(address, familyOf(address)),
  }
}

/** Whether the address belongs to a network that is not the public Internet. */
export function isPrivate(address: string): boolean {
  return privateNetworks.check(address, familyOf(address))
}

/** Whether clouds answer there with the credentials of the machine that asks. */
export function isMetadata(address: string): boolean {
  return metadataNetworks.check(address, familyOf(address))
}

/** Whether the name is for private networks whatever it resolves to. */
export function isPrivateName(host: string): boolean {
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(plainHost(host))
}

/** A host as it is compared: in lower case, without the brackets of an address and the dot of the root. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const hostName = new RegExp(
  String.raw`^(?=.{1,253}$)(?!.*\.\d+$)(?!\d+$)${label}(?:\.${label})*$`,
  'i',
)

function isHostName(text: string): boolean {
  return isIP(text) === 0 && hostName.test(text)
}

function addNetwork(list: BlockList, text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0 || !/^\d*$/.test(prefix ?? '')) return false
  const longest = family === 4 ? 32 : 128
  const bits = prefix === undefined ? longest : Number(prefix)
  if (prefix === '' || bits > longest) return false
  list.addSubnet(address, bits, familyOf(address))
  return true
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    if (!addNetwork(list, network)) throw new Error(`${network} is no network`)
  }
  return list
}

// IANA's special-purpose registries, and what translates into IPv4: an address inside those could be any.
// IPv4-mapped addresses (::ffff:0:0/96) are compared as the IPv4 addresses they are.
const privateNetworks = listOf([
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carriers' translation
  '127.0.0.0/8',
  '168.63.129.16/32', // the host of an Azure machine
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '::/96', // unspecified, loopback, IPv4-compatible
  '64:ff9b::/96', // NAT64
  '64:ff9b:1::/48', // local NAT64
  '100::/64', // discard
  '2001::/23', // Teredo and other protocols
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local; metadata of AWS
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
])

const metadataNetworks = listOf([
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fe80::/10',
])
