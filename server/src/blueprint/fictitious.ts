/*
 * Replaces e-mail addresses that somebody may have. A model may copy one from the source.
 */

const email = /[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}/g
const reserved = /@(?:[\w-]+\.)*(?:example\.(?:com|org|net)|example|test|invalid)$/i

/** The same address has the same replacement. */
function withFictitiousEmails(text: string): string {
  if (!text.includes('@')) return text
  return text.replaceAll(email, (found) =>
    reserved.test(found) ? found : `${found.slice(0, found.indexOf('@'))}@example.com`,
  )
}

/** In all texts of a JSON value. */
export function fictitious<Value>(value: Value): Value {
  if (typeof value === 'string') return withFictitiousEmails(value) as Value
  if (Array.isArray(value)) return value.map(fictitious) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, fictitious(one) as unknown])
  return Object.fromEntries(entries) as Value
}
