import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The text and caret of the search field. */
export function useQueryText(input: RefObject<HTMLInputElement | null>) {
  const [text, setText] = useState('')
  const [caret, setCaret] = useState(0)
  const pendingCaret = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (pendingCaret.current === undefined) return
    input.current?.setSelectionRange(pendingCaret.current, pendingCaret.current)
    pendingCaret.current = undefined
  })
  return {
    text,
    caret,
    setCaret,
    type(next: string, nextCaret: number) {
      setText(next)
      setCaret(nextCaret)
    },
    /** Like `type` for programmatic changes: also moves the caret in the input. */
    write(next: string, nextCaret = next.length) {
      setText(next)
      setCaret(nextCaret)
      pendingCaret.current = nextCaret
    },
  }
}
