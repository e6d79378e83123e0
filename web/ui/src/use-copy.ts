import { useRef, useState } from 'react'
import { copyText } from './copy-text.ts'

export type CopyState = 'ready' | 'done' | 'refused'

const confirmationMs = 2000

/** Copies a text. The state reports for two seconds that it was copied, or that the browser refused. */
export function useCopy(): readonly [CopyState, (text: string) => Promise<void>] {
  const [state, setState] = useState<CopyState>('ready')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  async function copy(text: string): Promise<void> {
    setState((await copyText(text)) ? 'done' : 'refused')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setState('ready'), confirmationMs)
  }
  return [state, copy]
}
