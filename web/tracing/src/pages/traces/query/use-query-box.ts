import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useState,
} from 'react'
import type { TraceSearch } from '../trace-search.ts'
import { type Completion, completed, completionsAt, type KnownValues } from './completion.ts'
import { termsOf, without } from './filter-definitions.ts'
import { addTerms, printTerm, readQuery } from './query-text.ts'
import { useQueryText } from './use-query-text.ts'

interface Options {
  readonly search: TraceSearch
  readonly known: KnownValues
  readonly input: RefObject<HTMLInputElement | null>
  readonly onChange: (next: TraceSearch) => void
}

/**
 * A text that becomes filters on Enter. What cannot be understood stays where it was typed, with the reason.
 * Backspace in the empty box takes the last filter back into it, to be changed.
 */
export function useQueryBox({ search, known, input, onChange }: Options) {
  const { text, caret, setCaret, type, write } = useQueryText(input)
  const [problems, setProblems] = useState<readonly string[]>([])
  const { offers, chosen, choose, setOpen } = useOffers(text, caret, known)

  function resetCompletions(): void {
    setProblems([])
    setOpen(true)
  }

  function apply(typed: string): void {
    const { terms, problems: found } = readQuery(typed)
    setProblems(found)
    setOpen(false)
    if (found.length > 0) return
    write('')
    if (terms.length > 0) onChange(addTerms(search, terms))
  }

  function take(offer: Completion): void {
    const next = completed(text, offer)
    // A value that was chosen leaves nothing to type: it takes effect unless something else is unclear.
    if (offer.form === 'value' && readQuery(next.text).problems.length === 0)
      return apply(next.text)
    write(next.text, next.caret)
    resetCompletions()
  }

  function takeBack(): void {
    const last = termsOf(search).at(-1)
    if (last === undefined) return
    write(printTerm(last))
    resetCompletions()
    onChange(without(search, last))
  }

  return {
    text,
    problems,
    offers,
    chosen,
    take,
    open: () => setOpen(true),
    close: () => setOpen(false),
    onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // Enter and arrows that choose among characters of a script are not meant for the box.
      if (event.nativeEvent.isComposing) return
      const offer = offers[chosen]
      const action = {
        ArrowDown: () => choose(1),
        ArrowUp: () => choose(-1),
        Enter: () => (offer === undefined ? apply(text) : take(offer)),
        Tab: offer && (() => take(offer)),
        Escape: () => event.currentTarget.blur(),
        Backspace: text === '' && !event.repeat ? takeBack : undefined,
      }[event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    },
    onChange({ currentTarget: { value, selectionStart } }: ChangeEvent<HTMLInputElement>) {
      type(value, selectionStart ?? value.length)
      resetCompletions()
    },
    onSelect({ currentTarget: { selectionStart } }: SyntheticEvent<HTMLInputElement>) {
      setCaret(selectionStart ?? 0)
    },
  }
}

/** What can be typed next, and which of it is about to be taken. */
function useOffers(text: string, caret: number, known: KnownValues) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const offers = isOpen ? completionsAt(text, caret, known) : []
  return {
    offers,
    chosen: Math.min(chosen, offers.length - 1),
    /** Begins without any chosen each time. */
    setOpen(next: boolean) {
      setOpen(next)
      setChosen(-1)
    },
    choose(step: number) {
      setOpen(true)
      // One place more than there are offers: the box itself, where none is chosen.
      const places = offers.length + 1
      setChosen(((chosen + 1 + step + places) % places) - 1)
    },
  }
}
