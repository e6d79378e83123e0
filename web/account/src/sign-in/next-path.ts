import { textThat } from '../routes/search-fields.ts'
import { searchSchema } from '../routes/search-schema.ts'

/**
 * Whether a path may be opened after sign-in. It starts with exactly one slash: two (or a backslash, which
 * browsers treat as one) would lead to another host. Browsers remove tabs and line breaks before they parse
 * the slashes.
 */
export function isNextPath(next: string): boolean {
  return /^\/(?![/\\])/.test(next) && !/[\t\r\n]/.test(next)
}

/** A path to open after sign-in, as a URL search parameter. */
export const nextPath = textThat(isNextPath)

/** The search parameters of pages that lead to another one after sign-in. */
export const nextSearch = searchSchema({ next: nextPath })
