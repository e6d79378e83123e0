import { useEffect, useEffectEvent, useState } from 'react'

/*
 * Files that are dropped anywhere in the window. A browser would open them in place of the app.
 */

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true

/** Refuses the files that no page takes. */
export function refuseDroppedFiles(): void {
  for (const name of ['dragover', 'drop'] as const) {
    window.addEventListener(name, (event) => {
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none'
    })
  }
}

/** Takes the files that are dropped. Returns whether some are dragged over the window. */
export function useDroppedFiles(take: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false)
  const takeFiles = useEffectEvent(take)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
      setDragging(true)
    }
    document.addEventListener('dragenter', onDrag, { signal })
    document.addEventListener('dragover', onDrag, { signal })
    // Without a target, the files have left the window.
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setDragging(false)
    document.addEventListener('dragleave', onLeave, { signal })
    const onDrop = (event: DragEvent) => {
      setDragging(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      takeFiles([...(event.dataTransfer?.files ?? [])])
    }
    document.addEventListener('drop', onDrop, { signal })
    return () => ending.abort()
  }, [])
  return isDragging
}
