import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import { limits } from '@assay/contract/limits.ts'
import { useEffect, useState } from 'react'
import { scanText } from '../api/chat-scan.ts'

const noFindings: readonly ChatFinding[] = []

/** A pasted text is complete; a typed one changes again soon. */
const pauseMs = { typed: 600, pasted: 100 } as const
const pastedLength = 8

/** What would hold a text back. Empty until it is known, and if the check fails: sending checks again. */
export function useScan(text: string): readonly ChatFinding[] {
  const [scanned, setScanned] = useState({ text: '', findings: noFindings })
  const isScanned = text.trim() !== '' && text.length <= limits.chatTextLength.value
  useEffect(() => {
    if (text === scanned.text || !isScanned) return
    const isPasted = text.length - scanned.text.length >= pastedLength
    const outdated = new AbortController()
    const timer = setTimeout(
      () => {
        scanText(text, outdated.signal).then(
          ({ findings }) => setScanned({ text, findings }),
          () => {},
        )
      },
      isPasted ? pauseMs.pasted : pauseMs.typed,
    )
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [text, scanned, isScanned])
  return isScanned ? scanned.findings : noFindings
}
