import { useAui, useAuiState } from '@assistant-ui/react'
import { useEffect, useRef } from 'react'
import { readDraft, saveDraft } from './draft-text.ts'

/** Keeps the text of the message for a reload and for the next visit of the conversation. */
export function useDraft(draftKey: string): void {
  const aui = useAui()
  const text = useAuiState(({ composer }) => composer.text)
  const current = useRef<string>(undefined)
  useEffect(() => {
    if (current.current === undefined) {
      const draft = readDraft(draftKey)
      if (draft !== '' && aui.composer.getState().text === '') aui.composer.setText(draft)
    } else if (current.current !== draftKey) saveDraft(current.current, '')
    current.current = draftKey
  }, [aui, draftKey])
  const isFirst = useRef(true)
  useEffect(() => {
    // The text of the first rendering is from before the draft was read.
    if (isFirst.current) isFirst.current = false
    else saveDraft(draftKey, text)
  }, [draftKey, text])
}
