import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isLoopback, plainHost } from './network-rules.ts'
import {
  type IsOwnServer,
  type Resolve,
  type ResolvedAddress,
  resolveBySystem,
} from './outbound-fetch.ts'

/*
 * The servers that the service stores everything in. A request to an address that a person has chosen must not reach them,
 * whatever networks an operator allows: ClickHouse runs statements that it gets over HTTP, and may be without a password
 * on a private network.
 */

interface Server {
  readonly host: string
  readonly ports: ReadonlySet<number>
}

/**
 * `urls`: the addresses in the settings of the databases. Another name with HTTPS on its usual port is no such server: its
 * certificate is checked, and proxies serve several names there.
 */
export function openOwnServers(
  urls: readonly string[],
  resolve: Resolve = resolveBySystem,
): IsOwnServer {
  const servers = urls.map(toServer)
  /** By name. One that is not known at the moment may still have the addresses that it had. */
  const lastKnown = new Map<string, readonly ResolvedAddress[]>()
  const addressesOf = async (host: string): Promise<readonly ResolvedAddress[]> => {
    const family = isIP(host)
    if (family !== 0) return [{ address: host, family }]
    const known = await resolve(host).catch(() => lastKnown.get(host) ?? [])
    lastKnown.set(host, known)
    return known
  }
  return async (url, addresses) => {
    const host = plainHost(url.hostname)
    const isOtherSite = url.protocol === 'https:' && portOf(url) === 443 && isIP(host) === 0
    for (const server of servers) {
      if (!server.ports.has(portOf(url))) continue
      if (server.host === host) return true
      if (isOtherSite) continue
      const own = await addressesOf(server.host)
      const isOwn = (address: string) => own.some((one) => isSameServer(one.address, address))
      if (addresses.some(({ address }) => isOwn(address))) return true
    }
    return false
  }
}

/** ClickHouse may listen on its usual ports as well. On that for HTTPS, other servers may be where it has none. */
function toServer(text: string): Server {
  const url = new URL(text)
  const usualPorts = { 'http:': [8123], 'https:': [8123, 8443] }[url.protocol] ?? []
  return { host: plainHost(url.hostname), ports: new Set([portOf(url), ...usualPorts]) }
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  if (protocol === 'https:') return 443
  return protocol === 'http:' ? 80 : 5432
}

function isSameServer(own: string, address: string): boolean {
  const [one, other] = [ipaddr.process(own), ipaddr.process(address)]
  return one.toNormalizedString() === other.toNormalizedString() || (isHere(own) && isHere(address))
}

/** Whether the address is one of this machine's. */
function isHere(address: string): boolean {
  const plain = ipaddr.process(address).toNormalizedString()
  if (isLoopback(plain) || /^(?:0\.0\.0\.0|0:0:0:0:0:0:0:0)$/.test(plain)) return true
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return own.some((one) => ipaddr.process(one.address).toNormalizedString() === plain)
}
