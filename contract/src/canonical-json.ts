/*
 * The canonical form of JSON (RFC 8785): what is hashed and signed about encryption keys, in servers and browsers alike.
 */

export type CanonicalValue =
  | string
  | number
  | null
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue }

/** Texts must be well-formed Unicode, and numbers finite. */
export function canonicalJson(value: CanonicalValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join()}]`
  const members = Object.entries(value)
    // By UTF-16 code units, as strings compare.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join()}}`
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value)
}
