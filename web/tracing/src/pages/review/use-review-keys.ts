import { isTyping } from '@assay/ui/shortcut-keys.ts'
import { useEffect, useEffectEvent } from 'react'
import { type ReviewStep, steps } from './review-draft.ts'

export interface ReviewActions {
  readonly onStep: (step: ReviewStep) => void
  readonly onVerdict: (passed: boolean) => void
  readonly onComment: () => void
  readonly onSave: () => void
  readonly onNext: () => void
  readonly onPrevious: () => void
}

/** The keys of the page, listed in palette/shortcuts.ts. */
export function useReviewKeys(actions: ReviewActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const isSend = key === 'Enter' && (ctrlKey || metaKey)
    if (!isSend && (ctrlKey || metaKey || altKey || isTyping(event.target))) return
    // A focused button or link handles its own Enter.
    if (key === 'Enter' && !isSend && isControl(event.target)) return
    const act = isSend ? actions.onSave : findAction(key, actions)
    if (act === undefined) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function findAction(key: string, actions: ReviewActions): (() => void) | undefined {
  const step = steps.find((one) => String(one) === key)
  if (step !== undefined) return () => actions.onStep(step)
  const byKey: Readonly<Record<string, () => void>> = {
    p: () => actions.onVerdict(true),
    f: () => actions.onVerdict(false),
    c: actions.onComment,
    Enter: actions.onSave,
    ']': actions.onNext,
    '[': actions.onPrevious,
  }
  return byKey[key]
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, summary') !== null
}
