import { listAncestors, type SpanTree } from '../../spans/span-tree.ts'

/*
 * The visible rows of the tree: collapsed branches hide their children, and long runs of siblings with the same
 * name are collapsed into one row until expanded.
 */

export interface SpanRow {
  readonly is: 'span'
  readonly id: string
  /** Position in the tree's nodes. */
  readonly at: number
  /** Indentation; members of an expanded group are one level deeper than in the tree. */
  readonly depth: number
  readonly isOpen: boolean
}

export interface GroupRow {
  readonly is: 'group'
  readonly id: string
  /** Positions of the collapsed siblings. */
  readonly members: readonly number[]
  readonly depth: number
  readonly isOpen: boolean
}

export type TreeRow = SpanRow | GroupRow

export const treeRowPx = 28

/** Runs longer than this become a group. */
export const longestRun = 20

/** Deviations from the default: spans are open and groups are closed unless listed here. */
export interface CollapseState {
  readonly collapsedSpans: ReadonlySet<string>
  readonly expandedGroups: ReadonlySet<string>
}

/** Spans are open, groups are closed. */
export const initiallyCollapsed: CollapseState = {
  collapsedSpans: new Set(),
  expandedGroups: new Set(),
}

type Waiting =
  | { readonly at: number; readonly depth: number }
  | { readonly members: readonly number[]; readonly depth: number }

export function treeRows(tree: SpanTree, collapse: CollapseState): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const waiting: Waiting[] = siblings(tree, tree.roots, 0).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('members' in next) {
      const { members, depth } = next
      const id = groupId(tree, members)
      const isOpen = collapse.expandedGroups.has(id)
      rows.push({ is: 'group', id, members, depth, isOpen })
      if (isOpen)
        push(
          waiting,
          members.map((at) => ({ at, depth: depth + 1 })),
        )
      continue
    }
    const { at, depth } = next
    const node = tree.nodes[at]
    if (node === undefined) continue
    const id = node.span.span_id
    const isOpen = node.children.length > 0 && !collapse.collapsedSpans.has(id)
    rows.push({ is: 'span', id, at, depth, isOpen })
    if (isOpen) push(waiting, siblings(tree, node.children, depth + 1))
  }
  return rows
}

function push(waiting: Waiting[], next: readonly Waiting[]): void {
  for (let at = next.length - 1; at >= 0; at -= 1) waiting.push(next[at] as Waiting)
}

/** Siblings as single rows and groups: more than `longestRun` of the same name in a row are a group. */
function siblings(tree: SpanTree, positions: readonly number[], depth: number): Waiting[] {
  const found: Waiting[] = []
  for (let start = 0; start < positions.length; ) {
    const end = endOfRun(tree, positions, start)
    const members = positions.slice(start, end)
    if (members.length > longestRun) found.push({ members, depth })
    else for (const at of members) found.push({ at, depth })
    start = end
  }
  return found
}

function endOfRun({ nodes }: SpanTree, positions: readonly number[], start: number): number {
  const name = nodes[positions[start] as number]?.span.name
  let end = start + 1
  while (end < positions.length && nodes[positions[end] as number]?.span.name === name) end += 1
  return end
}

function groupId({ nodes }: SpanTree, members: readonly number[]): string {
  return `group:${nodes[members[0] as number]?.span.span_id}`
}

/** Opens everything that hides the span. Returns the same object when nothing does. */
export function reveal(tree: SpanTree, collapse: CollapseState, spanId: string): CollapseState {
  const position = tree.positionById.get(spanId)
  if (position === undefined) return collapse
  const path = [...listAncestors(tree, position), position]
  const collapsedSpans = new Set(collapse.collapsedSpans)
  const expandedGroups = new Set(collapse.expandedGroups)
  for (const at of path) {
    const node = tree.nodes[at]
    if (node === undefined) continue
    if (at !== position) collapsedSpans.delete(node.span.span_id)
    const group = findGroup(tree, at)
    if (group !== undefined) expandedGroups.add(group)
  }
  const isSame =
    collapsedSpans.size === collapse.collapsedSpans.size &&
    expandedGroups.size === collapse.expandedGroups.size
  return isSame ? collapse : { collapsedSpans, expandedGroups }
}

function findGroup(tree: SpanTree, position: number): string | undefined {
  const node = tree.nodes[position]
  const positions = tree.nodes[node?.parent ?? -1]?.children ?? tree.roots
  const at = positions.indexOf(position)
  const name = node?.span.name
  let start = at
  while (start > 0 && tree.nodes[positions[start - 1] as number]?.span.name === name) start -= 1
  const end = endOfRun(tree, positions, at)
  return end - start > longestRun ? groupId(tree, positions.slice(start, start + 1)) : undefined
}

/** Opens all spans and groups. */
export function expandAll(tree: SpanTree): CollapseState {
  const expandedGroups = new Set<string>()
  for (const positions of [tree.roots, ...tree.nodes.map(({ children }) => children)]) {
    for (const one of siblings(tree, positions, 0)) {
      if ('members' in one) expandedGroups.add(groupId(tree, one.members))
    }
  }
  return { collapsedSpans: new Set(), expandedGroups }
}

export function collapseAll(tree: SpanTree): CollapseState {
  const collapsedSpans = new Set<string>()
  for (const { span, children } of tree.nodes) {
    if (children.length > 0) collapsedSpans.add(span.span_id)
  }
  return { collapsedSpans, expandedGroups: new Set() }
}
