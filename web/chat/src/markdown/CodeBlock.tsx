import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { Children, isValidElement, type ReactNode, use } from 'react'
import { CodeParts } from './CodeParts.tsx'
import { highlightableLength } from './highlightable-length.ts'
import styles from './markdown.module.css'
import { OpenBlock } from './open-block.ts'
import { useHighlighted } from './use-highlighted.ts'

interface Props {
  /** A `code` element. */
  readonly children: ReactNode
}

export function CodeBlock({ children }: Props) {
  const { text, language } = readCode(children)
  const length = highlightableLength(text, use(OpenBlock))
  const found = useHighlighted(text.slice(0, length), language)
  const highlighted = found?.parts !== undefined && text.startsWith(found.code) ? found : undefined
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language ?? 'Text'}</span>
        <CopyButton text={text.replace(/\n$/, '')} label="Copy code" />
      </figcaption>
      {/* With a tab stop, wide code is scrolled with the keyboard. */}
      <pre tabIndex={0}>
        <code>
          {highlighted?.parts !== undefined && <CodeParts parts={highlighted.parts} />}
          {text.slice(highlighted?.code.length ?? 0)}
        </code>
      </pre>
    </figure>
  )
}

function readCode(children: ReactNode): { text: string; language: string | undefined } {
  const code = Children.toArray(children)[0]
  if (!isValidElement<{ className?: string; children?: ReactNode }>(code)) {
    return { text: '', language: undefined }
  }
  const { className = '', children: content } = code.props
  return { text: textOf(content), language: /language-(\S+)/.exec(className)?.[1] }
}

function textOf(content: ReactNode): string {
  const parts = Children.toArray(content)
  return parts.map((part) => (typeof part === 'string' ? part : '')).join('')
}
