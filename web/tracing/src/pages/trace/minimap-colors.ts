import { kindColor } from '@assay/ui/kinds.ts'
import { type MinimapBar, minimapCells } from './minimap-cells.ts'

/*
 * Paints the cells of the minimap on a canvas in the colors of the theme.
 */

interface Size {
  readonly widthPx: number
  readonly heightPx: number
  readonly maxRowPx: number
}

export function paintCells(
  canvas: HTMLCanvasElement,
  bars: readonly (MinimapBar & { readonly kind: string })[],
  { widthPx, heightPx, maxRowPx }: Size,
): void {
  const ratio = globalThis.devicePixelRatio || 1
  const width = Math.max(1, Math.round(widthPx * ratio))
  const height = Math.max(1, Math.round(heightPx * ratio))
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return
  const resolve = openResolver(canvas)
  const palette: (readonly [number, number, number])[] = []
  const numbers = new Map<string, number>()
  const getNumber = (name: string): number => {
    const known = numbers.get(name)
    if (known !== undefined) return known
    palette.push(resolve(name))
    numbers.set(name, palette.length)
    return palette.length
  }
  const colored = bars.map((bar) => ({
    ...bar,
    color: getNumber(bar.isError ? 'var(--bad)' : kindColor(bar.kind)),
  }))
  const cells = minimapCells(colored, { width, height, maxRowHeight: maxRowPx * ratio })
  const image = context.createImageData(width, height)
  for (const [at, color] of cells.entries()) {
    const [red, green, blue] = palette[color - 1] ?? [0, 0, 0]
    image.data[at * 4] = red
    image.data[at * 4 + 1] = green
    image.data[at * 4 + 2] = blue
    image.data[at * 4 + 3] = color === 0 ? 0 : 255
  }
  context.putImageData(image, 0, 0)
}

/** Resolves a CSS color to RGB by painting one pixel of a canvas of its own, because reading slows drawing down. */
function openResolver(
  element: HTMLElement,
): (name: string) => readonly [red: number, green: number, blue: number] {
  const pixel = element.ownerDocument.createElement('canvas')
  pixel.width = 1
  pixel.height = 1
  const context = pixel.getContext('2d', { willReadFrequently: true })
  return (name) => {
    if (context === null) return [0, 0, 0]
    element.style.color = name
    context.fillStyle = getComputedStyle(element).color
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return [red, green, blue]
  }
}
