import { type DragEvent, useState } from 'react'

export interface DragOrder {
  /** The attributes of an item. `data-drop` marks the side of the item at which the dragged one would be dropped. */
  readonly itemProps: (key: string) => object
}

/** Reorders items by dragging one onto the place of another. `keys` is the current order. */
export function useDragOrder(
  keys: readonly string[],
  onMove: (key: string, ontoKey: string) => void,
): DragOrder {
  const [dragged, setDragged] = useState<string>()
  const [target, setTarget] = useState<string>()
  function end(): void {
    setDragged(undefined)
    setTarget(undefined)
  }
  return {
    itemProps: (key) => ({
      draggable: true,
      onDragStart({ dataTransfer }: DragEvent) {
        dataTransfer.effectAllowed = 'move'
        // Firefox drags nothing without data.
        dataTransfer.setData('text/plain', key)
        setDragged(key)
      },
      onDragOver(event: DragEvent) {
        if (dragged === undefined) return
        event.preventDefault()
        setTarget(key)
      },
      onDrop(event: DragEvent) {
        if (dragged === undefined) return
        event.preventDefault()
        end()
        if (dragged !== key) onMove(dragged, key)
      },
      onDragEnd: end,
      ...(dragged !== undefined && target === key && dragged !== key
        ? { 'data-drop': keys.indexOf(dragged) < keys.indexOf(key) ? 'after' : 'before' }
        : {}),
    }),
  }
}
