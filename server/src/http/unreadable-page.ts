import { acceptsPages } from './web-app.ts'

/*
 * Addresses of pages that cannot be decoded, such as `/p/%E0%A4%A`. The router would refuse them with an error for
 * clients of the API, but a browser shows them to a person, for whom the app has a page.
 */

/** An address without a page, for which the app shows that there is none. */
export const unknownPage = '/unreadable-address'

/** Whether a browser requests a page at an address that cannot be decoded. */
export function isUnreadablePage(url: string, accept: string | undefined): boolean {
  return url.includes('%') && acceptsPages(url, accept) && !isDecodable(url)
}

/** The router decodes the path alone. */
function isDecodable(url: string): boolean {
  try {
    decodeURI(url.replace(/[?#].*$/s, ''))
    return true
  } catch {
    return false
  }
}
