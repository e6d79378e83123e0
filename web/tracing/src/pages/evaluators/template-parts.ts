import { templatePlaceholders } from '@assay/contract/evaluators.ts'

export interface TemplatePart {
  readonly text: string
  /** `unknown`: has the form of a placeholder, but is not replaced, such as `{{trace}`. */
  readonly kind: 'text' | 'placeholder' | 'unknown'
}

/** A prompt template in parts, which together are the template. */
export function splitTemplate(template: string): readonly TemplatePart[] {
  return template
    .split(/(\{\{[^{}]*\}{1,2})/)
    .filter((text) => text !== '')
    .map((text) => ({ text, kind: kindOf(text) }))
}

function kindOf(text: string): TemplatePart['kind'] {
  if (templatePlaceholders.some((one) => one === text)) return 'placeholder'
  return /^\{\{[^{}]*\}{1,2}$/.test(text) ? 'unknown' : 'text'
}
