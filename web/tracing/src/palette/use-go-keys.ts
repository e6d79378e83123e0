import { type DeclaredPage, usePages } from '@assay/account/routes/use-pages.ts'
import { isTyping } from '@assay/ui/shortcut-keys.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useNavigationContext } from '../shell/use-navigation-context.ts'

/** How long after `g` the second key counts. */
const waitMs = 1_500

/** The pages of a project with a key, in order of declaration. */
export function useGoPages(): readonly DeclaredPage[] {
  return usePages().filter(({ goKey }) => goKey !== undefined)
}

/** Opens pages of the project with `g` and their key. */
export function useGoKeys(): void {
  const pages = useGoPages()
  const projectId = useNavigationContext()?.project?.id
  const navigate = useNavigate()
  const begunAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { key, timeStamp } = event
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const isSecond = timeStamp - begunAt.current < waitMs
      begunAt.current = !isSecond && key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
      const page = isSecond ? pages.find(({ goKey }) => goKey === key) : undefined
      if (page === undefined || projectId === undefined) return
      event.preventDefault()
      // The page has keys of its own, such as `e` for the next error.
      event.stopImmediatePropagation()
      void navigate({ to: page.to, params: { projectId } })
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [pages, projectId, navigate])
}
