import type { Message } from '@assay/contract/conversation.ts'
import type { Part } from '@assay/contract/message-parts.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { RevealMore } from '@assay/ui/RevealMore.tsx'
import { cutText } from '@assay/ui/text-blocks.ts'
import { useReveal } from '@assay/ui/use-reveal.ts'
import { IconArrowBackUp, IconTool } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { MediaView } from './MediaView.tsx'
import { MessageText } from './MessageText.tsx'
import styles from './messages.module.css'

interface Props {
  readonly message: Message
  /** Longer texts are collapsed. */
  readonly collapseAt?: number | undefined
}

/** Instructions are long and the same in each call: they must not hide what was asked and answered. */
const instructionRoles: ReadonlySet<string> = new Set(['system', 'developer'])
const maxInstruction = 800
const partsAtOnce = 50

/** One message with its parts; of very many, the first, and more on request. Its Markdown is rendered, HTML in it is text. */
export const MessageView = memo(({ message, collapseAt: maxCharacters = 4000 }: Props) => {
  const reveal = useReveal(message.parts.length, partsAtOnce, partsAtOnce)
  const isInstruction = instructionRoles.has(message.role)
  const collapseAt = isInstruction ? Math.min(maxInstruction, maxCharacters) : maxCharacters
  const text = message.parts.flatMap((part) => (part.is === 'text' ? [part.text] : [])).join('\n\n')
  return (
    <article className={styles.message} data-role={message.role}>
      <header className={styles.role}>
        <span>{cutText(message.role)}</span>
        {message.name !== undefined && <span className="dimmed">{cutText(message.name)}</span>}
        {text !== '' && (
          <span className={styles.copyText}>
            <CopyButton text={text} label="Copy message" />
          </span>
        )}
      </header>
      {message.parts.length === 0 && <p className={styles.none}>Empty message</p>}
      {message.parts.slice(0, reveal.count).map((part, at) => (
        // Parts have no IDs and are never reordered.
        <PartView key={at} part={part} collapseAt={collapseAt} />
      ))}
      <RevealMore reveal={reveal} noun="parts" />
    </article>
  )
})

function PartView({ part, collapseAt }: { readonly part: Part; readonly collapseAt: number }) {
  switch (part.is) {
    case 'text':
      return (
        <div className={styles.text}>
          <MessageText text={part.text} collapseAt={collapseAt} />
        </div>
      )
    case 'reasoning':
      return (
        <details className={styles.reasoning} open={part.text.length < 600}>
          <summary>Reasoning</summary>
          <MessageText text={part.text} collapseAt={collapseAt} />
        </details>
      )
    case 'call':
      return (
        <Tool
          icon={<IconTool size={14} aria-hidden />}
          word="tool call"
          name={part.name}
          id={part.id}
        >
          <Value value={part.input} label="arguments" />
        </Tool>
      )
    case 'result':
      return (
        <Tool
          icon={<IconArrowBackUp size={14} aria-hidden />}
          word="tool result"
          name={part.name}
          id={part.id}
        >
          <Value value={part.output} label="result" />
        </Tool>
      )
    case 'media':
      return <MediaView media={part} />
    case 'other':
      return <JsonView value={part.value} label="part" />
  }
}

interface ToolProps {
  readonly icon: ReactNode
  readonly word: string
  readonly name: string | undefined
  readonly id: string | undefined
  readonly children: ReactNode
}

function Tool({ icon, word, name, id, children }: ToolProps) {
  return (
    <div className={styles.tool}>
      <div className={styles.toolHead}>
        {icon}
        <span className="dimmed">{word}</span>
        {name !== undefined && <code>{cutText(name)}</code>}
        {id !== undefined && <code className={styles.callId}>{cutText(id)}</code>}
      </div>
      {children}
    </div>
  )
}

function Value({ value, label }: { readonly value: unknown; readonly label: string }) {
  if (value === undefined || value === null) return <p className={styles.none}>No {label}</p>
  if (typeof value !== 'string') return <JsonView value={value} label={label} />
  return (
    <div className={styles.text}>
      <LongText text={value} maxCharacters={4000} />
    </div>
  )
}
