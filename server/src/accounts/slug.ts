import { limits } from '@assay/contract/limits.ts'

/*
 * Slugs made from names: lower-case letters, digits and single hyphens, in the form of the contract's `slug`.
 */

const longest = limits.slugLength.value

/** The name's slug, or `fallback` when the name has no letter or digit that a slug can hold. */
export function toSlug(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    // Normalization has separated accents from their letters.
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const slug = withoutOuterHyphens(withoutOuterHyphens(plain).slice(0, longest))
  return slug === '' ? fallback : slug
}

/** The slug itself, or with the lowest number from 2 on that is free. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug
  let number = 2
  while (taken.has(numbered(slug, number))) number += 1
  return numbered(slug, number)
}

function numbered(slug: string, number: number): string {
  const ending = `-${number}`
  return withoutOuterHyphens(slug.slice(0, longest - ending.length)) + ending
}

function withoutOuterHyphens(text: string): string {
  return text.replace(/^-/, '').replace(/-$/, '')
}
