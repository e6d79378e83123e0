import { isIP, isIPv4 } from 'node:net'

/*
 * Whom to count together. An IPv6 customer has at least a /64 to pick addresses from, and one address has many
 * spellings: counting texts would count nothing.
 */

/** An IPv4 address as it is, also out of IPv6's clothing; the /64 of any other IPv6 address, in one spelling. */
export function clientNetworkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (isIP(plain) !== 6) return plain
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return dotted(groups[6] ?? 0, groups[7] ?? 0)
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const first = numbersIn(head)
  if (tail === undefined) return first
  const last = numbersIn(tail)
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

function numbersIn(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!isIPv4(part)) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
