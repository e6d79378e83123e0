import { isPaletteKey, isTyping } from '@assay/ui/shortcut-keys.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * The keys of every page: `n` begins a conversation, `/` searches. Control and K search also while a message is typed,
 * which is where the focus usually is.
 */
export function useShortcuts(): void {
  const { orgSlug, projectSlug } = useParams({ strict: false })
  const navigate = useNavigate()
  useEffect(() => {
    if (orgSlug === undefined || projectSlug === undefined) return
    function onKey(event: KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey } = event
      if (isPaletteKey(event)) {
        event.preventDefault()
        focusSearch()
      }
      if (ctrlKey || metaKey || altKey || isTyping(event.target)) return
      if (key === 'n' && orgSlug !== undefined && projectSlug !== undefined) {
        event.preventDefault()
        void navigate({ to: '/$orgSlug/$projectSlug', params: { orgSlug, projectSlug } })
      } else if (key === '/') {
        event.preventDefault()
        focusSearch()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [orgSlug, projectSlug, navigate])
}

function focusSearch(): void {
  document.querySelector<HTMLElement>('[data-conversation-search]')?.focus()
}
