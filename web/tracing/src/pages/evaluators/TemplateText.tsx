import styles from './evaluators.module.css'
import { splitTemplate } from './template-parts.ts'

interface Props {
  readonly template: string
}

/** A prompt template with its placeholders highlighted. */
export function TemplateText({ template }: Props) {
  return splitTemplate(template).map(({ text, kind }, index) =>
    kind === 'text' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and no state
      <mark key={index} className={styles[kind]}>
        {text}
      </mark>
    ),
  )
}
