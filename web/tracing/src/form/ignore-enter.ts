import type { KeyboardEvent } from 'react'

/** For inputs within a form that Enter must not submit. */
export function ignoreEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}
