import { parsed } from '@assay/contract/message-parts.ts'
import { parseExactly } from '@assay/ui/exact-json.ts'
import { JsonView } from '@assay/ui/JsonView.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { lazy, Suspense, useDeferredValue, useMemo } from 'react'
import { hasMarkdown } from './markdown-signs.ts'
import { useRawText } from './use-raw-text.ts'

interface Props {
  readonly text: string
  /** Longer texts are collapsed. */
  readonly collapseAt?: number
}

/** Loaded with the first Markdown. */
const RenderedText = lazy(async () => ({
  default: (await import('./RenderedText.tsx')).RenderedText,
}))

/** A recorded text: JSON as a tree, Markdown rendered, everything else and *Raw* as it was sent. */
export function MessageText({ text, collapseAt = 4000 }: Props) {
  const { isRaw } = useRawText()
  const value = useMemo(() => (isRaw ? text : parsed(text, parseExactly)), [isRaw, text])
  const isMarkdown = useMemo(() => !isRaw && hasMarkdown(text), [isRaw, text])
  // The page shows the text at once, and renders it when there is time.
  const isRendered = useDeferredValue(isMarkdown, false)
  if (typeof value !== 'string') return <JsonView value={value} label="message" />
  const plain = <LongText text={text} maxCharacters={collapseAt} />
  if (!isMarkdown || !isRendered) return plain
  return (
    <Suspense fallback={plain}>
      <RenderedText text={text} collapseAt={collapseAt} />
    </Suspense>
  )
}
