import { ReplyMarkdown } from '@assay/ui/markdown/ReplyMarkdown.tsx'
import { RevealMore } from '@assay/ui/RevealMore.tsx'
import { wholeCharacters } from '@assay/ui/text-blocks.ts'
import { useReveal } from '@assay/ui/use-reveal.ts'

interface Props {
  readonly text: string
  readonly collapseAt: number
}

const charactersMore = 10_000

/** Markdown that somebody sent, which may be hostile; a long one is rendered in steps. */
export function RenderedText({ text, collapseAt }: Props) {
  const reveal = useReveal(text.length, collapseAt, charactersMore)
  const isWhole = reveal.count === text.length
  const shown = isWhole ? text : `${text.slice(0, wholeCharacters(text, reveal.count))}…`
  return (
    <>
      <ReplyMarkdown text={shown} isOpen={!isWhole} isRecorded />
      <RevealMore reveal={reveal} noun="characters" />
    </>
  )
}
