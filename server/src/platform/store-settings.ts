import { z } from 'zod'

/*
 * Where the databases are, as settings.
 */

/** Where ClickHouse is. */
export interface ClickHouseSettings {
  /** With user name and password, if the server asks for them; without a path. */
  readonly url: string
  readonly database: string
  /** Whose servers have the tables; undefined: a single server. */
  readonly cluster: string | undefined
}

export function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== ''
}

export function parseClickHouseUrl(
  text: string,
  context: z.RefinementCtx,
): Omit<ClickHouseSettings, 'cluster'> {
  const url = URL.parse(text)
  const database = /^\/(\w{0,63})$/.exec(url?.pathname ?? '')?.[1]
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
  if (isAddress && database !== undefined && url.search + url.hash === '') {
    url.pathname = '/'
    return { url: url.href, database: database || 'assay' }
  }
  context.addIssue('not an address of ClickHouse')
  return z.NEVER
}
