import { parse } from 'tldts'

/*
 * Links, addresses, paths and codes in a text, each in one form.
 */

export interface Reference {
  readonly kind: 'link' | 'address' | 'DOI' | 'path' | 'code'
  /** The form that is compared. */
  readonly value: string
  /** Of a link or an address: the domain that somebody registered. */
  readonly domain?: string
  /** Of the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

const lengthMax = 100_000

const patterns = [
  ['link', /\b(?:https?:\/\/|www\.)[^\s<>"'`|\\^{}[\]]{3,2000}/gi],
  ['address', /\b[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\b/gi],
  ['DOI', /\b10\.\d{4,9}\/[^\s<>"'`,;]{2,200}/gi],
  [
    'path',
    /(?<![\w.:/\\])(?:~|\.{1,2})?(?:\/[\w.@+-]{1,100}){2,20}\.[a-z]\w{0,7}\b|\b[A-Z]:(?:\\[\w .@+-]{1,100}){1,20}\.[a-z]\w{0,7}\b/gi,
  ],
  ['code', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['code', /(?<![\w-])[A-Z]{2,10}[-_]?(?:\d{2,6}-)?\d{3,12}(?![\w-]|\.\d)|(?<![\w&])#\d{3,12}\b/g],
] as const

/** Names of standards and models, and gray tones, look like codes. */
const knownNames =
  /^#(\d)\1+$|^(?:ISO|IEC|UTF|SHA|RFC|AES|RSA|IEEE|DIN|EN|COVID|GPT|HTTP|ES|UTC|GMT|MP|USB|RTX|GTX|WCAG|MD|CRC|AD|BC|CE|FY|CY|NIST|FIPS|SAE|BS)(?:[-_]?\d)/

/** In order; one part of the text is one reference. */
export function findReferences(text: string): readonly Reference[] {
  const read = text.slice(0, lengthMax)
  const found: Reference[] = []
  for (const [kind, pattern] of patterns) {
    for (const { 0: whole, index } of read.matchAll(pattern)) {
      const written = withoutPunctuation(whole)
      if (kind === 'code' && knownNames.test(written)) continue
      const end = index + written.length
      found.push({ kind, ...normalize(kind, written), start: index, end })
    }
  }
  const kept: Reference[] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one)
  }
  return kept
}

/** A link in a sentence is followed by marks that are no part of it. */
function withoutPunctuation(written: string): string {
  const plain = written.replace(/[.,;:!?*_~"'’”»]{1,10}$/, '')
  const isUnbalanced = plain.endsWith(')') && !plain.includes('(')
  return isUnbalanced ? withoutPunctuation(plain.slice(0, -1)) : plain
}

function normalize(kind: Reference['kind'], written: string): Pick<Reference, 'value' | 'domain'> {
  if (kind === 'link') {
    const value = written
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/#.*$/s, '')
      .replace(/\/$/, '')
    return { value, ...domainOf(value) }
  }
  if (kind === 'address') {
    const value = written.toLowerCase()
    return { value, ...domainOf(value.slice(value.indexOf('@') + 1)) }
  }
  return { value: kind === 'code' || kind === 'DOI' ? written.toLowerCase() : written }
}

function domainOf(value: string): Pick<Reference, 'domain'> {
  const { domain, hostname } = parse(value)
  const found = domain ?? hostname
  return found === null ? {} : { domain: found }
}

/** Domains that nobody can own; documentation uses them as placeholders. */
export function isPlaceholder({ domain }: Reference): boolean {
  return (
    domain !== undefined &&
    /(?:^|\.)(?:example\.(?:com|org|net|edu)|example|localhost)$/.test(domain)
  )
}
