import { isPaletteKey, isTyping } from '@assay/ui/shortcut-keys.ts'
import { useEffect, useState } from 'react'
import { useGoKeys } from './use-go-keys.ts'
import { useTypedAhead } from './use-typed-ahead.ts'

type Sheet = 'palette' | 'shortcuts'

/** The open sheet, and the global keys that open it. */
export function usePalette() {
  useGoKeys()
  const [open, setOpen] = useState<Sheet>()
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isPaletteKey(event)) {
        event.preventDefault()
        setOpen((was) => (was === 'palette' ? undefined : 'palette'))
      } else if (event.key === '?' && !isTyping(event.target)) {
        event.preventDefault()
        setOpen('shortcuts')
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const takeTyped = useTypedAhead(open === 'palette', () => setOpen(undefined))
  return {
    open,
    takeTyped,
    show: (sheet: Sheet) => setOpen(sheet),
    close: () => setOpen(undefined),
  }
}
