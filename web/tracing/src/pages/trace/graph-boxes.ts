import type { GraphNode } from './agent-graph.ts'
import type { Layout } from './graph-layout.ts'

/*
 * The boxes of a call graph in pixels. A layer is as wide as its longest name, up to a limit.
 */

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface GraphBoxes {
  readonly width: number
  readonly height: number
  readonly of: (id: string) => Box
}

const heightPx = 46
const gapPx = { across: 56, down: 16 }
const edgePx = 12

const minWidthPx = 132
const maxWidthPx = 320
/** The icon, the padding and the border. */
const besideNamePx = 42
const letterPx = 7.2

export function toBoxes(
  nodes: readonly Pick<GraphNode, 'id' | 'name'>[],
  { places, layerCount, longestLayer }: Layout,
): GraphBoxes {
  const layers = Array.from({ length: layerCount }, () => ({ width: minWidthPx, rows: 0 }))
  for (const { id, name } of nodes) {
    const layer = layers[places.get(id)?.layer ?? -1]
    if (layer === undefined) continue
    layer.width = Math.max(layer.width, nodeWidth(name))
    layer.rows += 1
  }
  const lefts: number[] = []
  let right = edgePx
  for (const { width } of layers) {
    lefts.push(right)
    right += width + gapPx.across
  }
  const toHeight = (rows: number) => rows * (heightPx + gapPx.down) - gapPx.down
  const boxes = new Map<string, Box>()
  for (const [id, { layer, row }] of places) {
    const { width, rows } = layers[layer] ?? { width: minWidthPx, rows: 1 }
    const topPx = edgePx + (toHeight(longestLayer) - toHeight(rows)) / 2
    const y = topPx + row * (heightPx + gapPx.down)
    boxes.set(id, { x: lefts[layer] ?? edgePx, y, width, height: heightPx })
  }
  const nowhere = { x: edgePx, y: edgePx, width: minWidthPx, height: heightPx }
  return {
    width: right - gapPx.across + edgePx,
    height: toHeight(longestLayer) + 2 * edgePx,
    of: (id) => boxes.get(id) ?? nowhere,
  }
}

function nodeWidth(name: string): number {
  let letters = 0
  // Ideographs and emoji are about twice as wide.
  for (const letter of name) letters += (letter.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2
  return Math.min(maxWidthPx, Math.ceil(besideNamePx + letters * letterPx))
}
