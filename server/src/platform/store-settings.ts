import { z } from 'zod'

/*
 * Where the databases are, as settings.
 */

/** Where a database of ClickHouse is. */
export interface ClickHouseSettings {
  /** With user name and password, if the server asks for them; without a path. */
  readonly url: string
  readonly database: string
  /** Whose servers have the tables; undefined: a single server. */
  readonly cluster: string | undefined
}

type ClickHouseAddress = Omit<ClickHouseSettings, 'cluster'>

export function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    hasReadableUser(url)
  )
}

/** The drivers decode user name and password: a `%` that begins no escape would fail there, without the name of the setting. */
function hasReadableUser({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** Several addresses are separated by commas. */
export function parseClickHouseUrls(
  text: string,
  context: z.RefinementCtx,
): readonly ClickHouseAddress[] {
  // A password may have a comma.
  const addresses = text.split(/\s*,\s*(?=https?:)/).map((one) => parseClickHouseUrl(one, context))
  if (new Set(addresses.map(formatAddress)).size === addresses.length) return addresses
  context.addIssue('the same database twice')
  return z.NEVER
}

function parseClickHouseUrl(text: string, context: z.RefinementCtx): ClickHouseAddress {
  const url = URL.parse(text)
  const database = /^\/(\w{0,63})$/.exec(url?.pathname ?? '')?.[1]
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && /^[^,]+$/.test(url.hostname)
  const isReadable = isAddress && hasReadableUser(url)
  if (isReadable && database !== undefined && url.search + url.hash === '') {
    url.pathname = '/'
    return { url: url.href, database: database || 'assay' }
  }
  context.addIssue('not an address of ClickHouse')
  return z.NEVER
}

/** The server and the database, without user name and password. */
export function formatAddress({ url, database }: ClickHouseAddress): string {
  return `${URL.parse(url)?.host}/${database}`
}
