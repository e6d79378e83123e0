import type { MutationForm } from '@assay/account/form/use-mutation-form.ts'
import { templatePlaceholders } from '@assay/contract/evaluators.ts'
import { Button, Input } from '@mantine/core'
import { type ReactNode, useId, useRef } from 'react'
import styles from './evaluators.module.css'
import { TemplateText } from './TemplateText.tsx'
import { splitTemplate } from './template-parts.ts'

interface Props {
  readonly label: string
  readonly description: ReactNode
  readonly field: ReturnType<MutationForm<{ readonly template: string }>['field']>
}

const meanings: Readonly<Record<(typeof templatePlaceholders)[number], string>> = {
  '{{trace}}': 'The whole run: messages, tool calls and their results',
  '{{input}}': 'The question or task of the run',
  '{{output}}': 'The final answer of the run',
}

/** A text area for a prompt template, with its placeholders highlighted and buttons that insert them. */
export function TemplateInput({ label, description, field }: Props) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const { error, ...input } = field as typeof field & { readonly value: string }
  const unknown = splitTemplate(input.value).find(({ kind }) => kind === 'unknown')
  function insert(placeholder: string): void {
    const { current } = area
    if (current === null) return
    current.focus()
    current.setRangeText(placeholder, current.selectionStart, current.selectionEnd, 'end')
    current.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <Input.Wrapper
      id={id}
      label={label}
      required
      description={description}
      descriptionProps={{ id: `${id}-description` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <div className={styles.insert} role="group" aria-label="Insert a placeholder">
        {templatePlaceholders.map((one) => (
          <Button
            key={one}
            variant="default"
            size="compact-xs"
            title={meanings[one]}
            aria-label={`Insert ${one}`}
            onClick={() => insert(one)}
          >
            <code>{one}</code>
          </Button>
        ))}
      </div>
      <div className={styles.editor} data-invalid={Boolean(error) || undefined}>
        {/* Under the text area, with the same text in the same places. Its height is that of the text. */}
        <pre className={styles.mirror} aria-hidden>
          <TemplateText template={input.value} />{' '}
        </pre>
        <textarea
          ref={area}
          id={id}
          className={styles.area}
          placeholder={'The answer {{output}} is polite and answers {{input}}.'}
          aria-invalid={Boolean(error)}
          aria-describedby={`${id}-description${error ? ` ${id}-error` : ''}`}
          aria-required
          {...input}
        />
      </div>
      {unknown !== undefined && (
        <p className={styles.hint} role="status">
          {unknown.text} is not a placeholder. The judge gets it as text.
        </p>
      )}
    </Input.Wrapper>
  )
}
