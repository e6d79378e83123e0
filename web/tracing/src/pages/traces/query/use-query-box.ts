import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useState,
} from 'react'
import { listBoxTerms, without } from '../../../parts/filter-terms.ts'
import type { TraceSearch } from '../../../parts/trace-search.ts'
import {
  type Completion,
  completed,
  completionForTab,
  completionsAt,
  type KnownValues,
} from './completion.ts'
import { addTerms, findMismatches, printTerm, readQuery } from './query-text.ts'
import { useQueryText } from './use-query-text.ts'

interface Options {
  readonly search: TraceSearch
  readonly known: KnownValues
  readonly input: RefObject<HTMLInputElement | null>
  readonly onChange: (next: TraceSearch) => void
}

/**
 * Turns the typed text into filters on Enter. Invalid text stays in the field with an error message. Backspace in
 * the empty field moves the last filter back into it for editing.
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
    const { next, found } = readOnto(search, typed)
    setProblems(found)
    setOpen(false)
    if (found.length > 0) return
    write('')
    if (next !== undefined) onChange(next)
  }

  function take(offer: Completion): void {
    const next = completed(text, offer)
    // A chosen value completes the filter: apply it unless another part of the text is invalid.
    if (offer.form === 'value' && readOnto(search, next.text).found.length === 0)
      return apply(next.text)
    write(next.text, next.caret)
    resetCompletions()
  }

  function close(): void {
    setOpen(false)
  }

  function takeBack(): void {
    const last = listBoxTerms(search).at(-1)
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
    close,
    onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // During IME composition, Enter and the arrows belong to the input method.
      if (event.nativeEvent.isComposing) return
      const offer = offers[chosen]
      const forTab = offer ?? completionForTab(text, caret, offers)
      const action = {
        ArrowDown: () => choose(1),
        ArrowUp: () => choose(-1),
        Enter: () => (offer === undefined ? apply(text) : take(offer)),
        Tab: forTab && !event.shiftKey ? () => take(forTab) : undefined,
        Escape: offers.length > 0 ? close : () => event.currentTarget.blur(),
        Backspace: text === '' && !event.repeat ? takeBack : undefined,
      }[event.key]
      if (action === undefined) return
      event.preventDefault()
      // Escape that closes the completions does nothing else on the page.
      if (event.key === 'Escape' && offers.length > 0) event.stopPropagation()
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

/** The filters with those of the text, if it has any, and the error messages. */
function readOnto(search: TraceSearch, text: string) {
  const { terms, problems } = readQuery(text)
  const next = addTerms(search, terms)
  return terms.length === 0
    ? { found: problems, next: undefined }
    : { found: [...problems, ...findMismatches(next)], next }
}

/** The completions and the active one (-1 for none). */
function useOffers(text: string, caret: number, known: KnownValues) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const offers = isOpen ? completionsAt(text, caret, known) : []
  return {
    offers,
    chosen: Math.min(chosen, offers.length - 1),
    /** Resets the active completion. */
    setOpen(next: boolean) {
      setOpen(next)
      setChosen(-1)
    },
    choose(step: number) {
      setOpen(true)
      // One extra position for the text field itself, where none is active.
      const places = offers.length + 1
      setChosen(((chosen + 1 + step + places) % places) - 1)
    },
  }
}
