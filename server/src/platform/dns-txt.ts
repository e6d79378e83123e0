import { Resolver } from 'node:dns/promises'

/** The TXT records of a domain, each joined from its parts; rejects when DNS gives no answer. */
export type ResolveTxt = (domain: string) => Promise<readonly string[]>

/** Asks the name servers of the system. */
export function openTxtResolver(): ResolveTxt {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  return async (domain) => {
    try {
      const records = await resolver.resolveTxt(domain)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENODATA' || code === 'ENOTFOUND') return []
      throw error
    }
  }
}
