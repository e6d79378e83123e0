import { Children, isValidElement, type ReactNode } from 'react'
import type { WholeCode } from './whole-code.ts'

/** The text and language of a `code` element. */
export function readCode(children: ReactNode): WholeCode {
  const code = Children.toArray(children)[0]
  if (!isValidElement<{ className?: string; children?: ReactNode }>(code)) {
    return { code: '', language: undefined }
  }
  const { className = '', children: content } = code.props
  return { code: textOf(content), language: /language-(\S+)/.exec(className)?.[1] }
}

function textOf(content: ReactNode): string {
  const parts = Children.toArray(content)
  return parts.map((part) => (typeof part === 'string' ? part : '')).join('')
}
