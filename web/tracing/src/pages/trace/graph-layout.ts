/*
 * A deterministic layered layout of a directed graph, callers before callees.
 */

interface Edge {
  readonly from: string
  readonly to: string
}

export interface Layout {
  readonly places: ReadonlyMap<string, Place>
  readonly layerCount: number
  readonly longestLayer: number
}

export interface Place {
  readonly layer: number
  readonly row: number
}

/** Odd, so that the last sweep goes down and the first layer keeps its order. */
const sweeps = 5

/** `ids` are in the preferred order. Edges may form cycles. */
export function computeLayout(ids: readonly string[], edges: readonly Edge[]): Layout {
  const downward = withoutCycles(ids, edges)
  const layers = toLayers(ids, downward)
  untangle(layers, downward)
  const places = new Map<string, Place>()
  for (const [layer, members] of layers.entries()) {
    for (const [row, id] of members.entries()) places.set(id, { layer, row })
  }
  return {
    places,
    layerCount: layers.length,
    longestLayer: Math.max(0, ...layers.map(({ length }) => length)),
  }
}

/** Drops back edges. */
function withoutCycles(ids: readonly string[], edges: readonly Edge[]): readonly Edge[] {
  const targets = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const { from, to } of edges) targets.get(from)?.push(to)
  const state = new Map<string, 'open' | 'done'>()
  const back = new Set<string>()
  for (const start of ids) {
    if (state.has(start)) continue
    const path = [{ id: start, next: 0 }]
    state.set(start, 'open')
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = targets.get(top.id)?.[top.next]
      top.next += 1
      if (target === undefined) {
        state.set(top.id, 'done')
        path.pop()
      } else if (state.get(target) === 'open') {
        back.add(JSON.stringify([top.id, target]))
      } else if (!state.has(target)) {
        state.set(target, 'open')
        path.push({ id: target, next: 0 })
      }
    }
  }
  return edges.filter(({ from, to }) => !back.has(JSON.stringify([from, to])))
}

/** Each node is one layer below its lowest caller. */
function toLayers(ids: readonly string[], edges: readonly Edge[]): string[][] {
  const callers = new Map<string, number>(ids.map((id) => [id, 0]))
  for (const { to } of edges) callers.set(to, (callers.get(to) ?? 0) + 1)
  const depths = new Map<string, number>()
  const ready = ids.filter((id) => callers.get(id) === 0)
  for (const id of ready) {
    const depth = depths.get(id) ?? 0
    depths.set(id, depth)
    for (const edge of edges) {
      if (edge.from !== id) continue
      depths.set(edge.to, Math.max(depths.get(edge.to) ?? 0, depth + 1))
      const left = (callers.get(edge.to) ?? 0) - 1
      callers.set(edge.to, left)
      if (left === 0) ready.push(edge.to)
    }
  }
  const layers: string[][] = []
  for (const id of ids) {
    const depth = depths.get(id) ?? 0
    while (layers.length <= depth) layers.push([])
    layers[depth]?.push(id)
  }
  return layers
}

/** Reduces crossings: sorts by mean caller row on the way down and by mean callee row on the way up. */
function untangle(layers: string[][], edges: readonly Edge[]): void {
  const callers = new Map<string, string[]>()
  const callees = new Map<string, string[]>()
  for (const { from, to } of edges) {
    callers.set(to, [...(callers.get(to) ?? []), from])
    callees.set(from, [...(callees.get(from) ?? []), to])
  }
  const rows = new Map<string, number>()
  const number = (layer: readonly string[]) => {
    for (const [row, id] of layer.entries()) rows.set(id, row - (layer.length - 1) / 2)
  }
  layers.forEach(number)
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0
    const joined = isDown ? callers : callees
    for (const layer of isDown ? layers.slice(1) : layers.slice(0, -1).reverse()) {
      const means = new Map(layer.map((id) => [id, meanRow(id, joined, rows)]))
      layer.sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0))
      number(layer)
    }
  }
}

function meanRow(
  id: string,
  joined: ReadonlyMap<string, readonly string[]>,
  rows: ReadonlyMap<string, number>,
): number {
  const others = joined.get(id) ?? []
  if (others.length === 0) return rows.get(id) ?? 0
  return others.reduce((sum, other) => sum + (rows.get(other) ?? 0), 0) / others.length
}
