import ipaddr from 'ipaddr.js'
import type { DangerousPart } from './dangerous-commands.ts'

/*
 * Requests to the metadata service of a cloud, which hands out credentials, and to private networks.
 */

const linkPattern = /\bhttps?:\/\/(\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?/gi
const metadataHosts = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  'fd00:ec2::254',
  'metadata.google.internal',
  'metadata.azure.internal',
])

/** `isAllowed`: hosts that the user or the system prompt names. The metadata service is never allowed. */
export function findPrivateAddresses(
  text: string,
  isAllowed: (host: string) => boolean,
): readonly DangerousPart[] {
  const found: DangerousPart[] = []
  for (const { 0: link, 1: host = '', index } of text.slice(0, 100_000).matchAll(linkPattern)) {
    const plain = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
    const part = { start: index, end: index + link.length }
    if (metadataHosts.has(normalized(plain))) {
      found.push({ what: "reads the cloud's metadata service", ...part })
    } else if (isPrivate(plain) && !isAllowed(plain)) {
      found.push({ what: 'requests an address in a private network', ...part })
    }
  }
  return found
}

/** Other spellings of an address: `0xA9FEA9FE`, `2852039166`. */
function normalized(host: string): string {
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : host
}

function isPrivate(host: string): boolean {
  if (host === 'localhost' || /\.(?:internal|local|localhost|lan|intranet|corp)$/.test(host))
    return true
  if (!ipaddr.isValid(host)) return false
  const range = ipaddr.process(host).range()
  return [
    'private',
    'loopback',
    'linkLocal',
    'uniqueLocal',
    'unspecified',
    'carrierGradeNat',
  ].includes(range)
}
