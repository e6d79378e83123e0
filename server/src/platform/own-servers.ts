import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isLoopback, plainHost } from './network-rules.ts'
import { type IsOwnServer, type Resolve, resolveBySystem } from './outbound-fetch.ts'

/*
 * The servers that the service stores everything in. A request to an address that a person has chosen must not reach them,
 * whatever networks an operator allows: ClickHouse runs statements that it gets over HTTP, and may be without a password
 * on a private network.
 */

interface Server {
  readonly host: string
  readonly ports: ReadonlySet<number>
}

/** `urls`: the addresses in the settings of the databases. */
export function openOwnServers(
  urls: readonly string[],
  resolve: Resolve = resolveBySystem,
): IsOwnServer {
  const servers = urls.map(toServer)
  return async (url, addresses) => {
    const port = portOf(url)
    const host = plainHost(url.hostname)
    for (const server of servers) {
      if (!server.ports.has(port)) continue
      if (server.host === host) return true
      // Names may change their addresses. One that is not known is no server now.
      const own = ipaddr.isValid(server.host)
        ? [{ address: server.host }]
        : await resolve(server.host).catch(() => [])
      const isOwn = (address: string) => own.some((one) => isSameServer(one.address, address))
      if (addresses.some(({ address }) => isOwn(address))) return true
    }
    return false
  }
}

/** ClickHouse listens on the usual ports for HTTP as well. */
function toServer(text: string): Server {
  const url = new URL(text)
  const usualPorts = /^https?:$/.test(url.protocol) ? [8123, 8443] : []
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
