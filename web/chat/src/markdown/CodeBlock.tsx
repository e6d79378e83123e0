import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { Children, isValidElement, type ReactNode } from 'react'
import styles from './markdown.module.css'

interface Props {
  /** A `code` element. */
  readonly children: ReactNode
}

export function CodeBlock({ children }: Props) {
  const { text, language } = readCode(children)
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language ?? 'Text'}</span>
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      {/* With a tab stop, wide code is scrolled with the keyboard. */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}

function readCode(children: ReactNode): { text: string; language: string | undefined } {
  const code = Children.toArray(children)[0]
  if (!isValidElement<{ className?: string; children?: ReactNode }>(code)) {
    return { text: '', language: undefined }
  }
  const { className = '', children: content } = code.props
  return {
    text: textOf(content).replace(/\n$/, ''),
    language: /language-(\S+)/.exec(className)?.[1],
  }
}

function textOf(content: ReactNode): string {
  const parts = Children.toArray(content)
  return parts.map((part) => (typeof part === 'string' ? part : '')).join('')
}
