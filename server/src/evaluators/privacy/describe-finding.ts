import type { Finding } from '../../detection/finding.ts'

/** The kind and the masked value: `an email (…no)`. */
export function describeFinding({ type, preview }: Finding): string {
  const kind = type.replaceAll('_', ' ')
  const article = /^[aeio]/.test(kind) ? 'an' : 'a'
  return `${article} ${kind} (${preview})`
}
