import type { Finding } from '../../detection/finding.ts'
import type { Evidence } from '../evaluator.ts'

/** The kind and the masked value: `an email (…no)`. */
export function describeFinding(finding: Finding): string {
  const kind = kindOf(finding)
  const article = /^[aeio]/.test(kind) ? 'an' : 'a'
  return `${article} ${kind} (${finding.preview})`
}

/** The masked value of a short password is `…`, which means nothing without the kind. */
export function quoteFinding(spanId: string, finding: Finding): Evidence {
  return { spanId, quote: `${kindOf(finding)} ${finding.preview}` }
}

function kindOf({ type }: Finding): string {
  return type.replaceAll('_', ' ')
}
