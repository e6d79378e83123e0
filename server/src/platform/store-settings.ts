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

/** For the texts of the settings. */
export const userEncoding =
  'in user name and password, @ is written as %40, / as %2F, # as %23, ? as %3F and % as %25'

/** Without spaces, which the driver would take for a part of the address. */
export function parsePostgresUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text)
  const isAddress = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== ''
  if (isAddress && hasReadableUser(text, url)) return url.href
  context.addIssue('not an address of PostgreSQL')
  return z.NEVER
}

/** The server and the database, without user name and password. */
export function formatPostgresAddress(text: string): string {
  const url = URL.parse(text)
  return `${url?.host}${url?.pathname}`
}

/** Whether user name and password are encoded: otherwise an error of the driver could have a part of them, as the host. */
export function hasReadableUser(text: string, url: URL): boolean {
  const afterHost = url.pathname + url.search + url.hash
  if (text.indexOf('@') !== text.lastIndexOf('@') || afterHost.includes('@')) return false
  try {
    // As the drivers do, whose errors lack the name of the setting.
    decodeURIComponent(url.username + url.password)
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
  const isReadable = isAddress && hasReadableUser(text, url)
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
