import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The text of the query box and where the caret stands, which moves along when a completion is taken. */
export function useQueryText(input: RefObject<HTMLInputElement | null>) {
  const [text, setText] = useState('')
  const [caret, setCaret] = useState(0)
  const wantedCaret = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (wantedCaret.current === undefined) return
    input.current?.setSelectionRange(wantedCaret.current, wantedCaret.current)
    wantedCaret.current = undefined
  })
  return {
    text,
    caret,
    setCaret,
    type(next: string, nextCaret: number) {
      setText(next)
      setCaret(nextCaret)
    },
    /** As `type`, for what was not typed by hand. */
    write(next: string, nextCaret = next.length) {
      setText(next)
      setCaret(nextCaret)
      wantedCaret.current = nextCaret
    },
  }
}
