import type { ConversationMessage } from '@assay/contract/conversations.ts'

/*
 * The messages of a conversation as a tree: each has a parent, and its children are alternatives to each other. The
 * selected leaf is the end of the branch that is shown. Nothing here removes a message of the service.
 */

export interface MessageTree {
  /** Oldest first; parents come before their children. */
  readonly messages: readonly ConversationMessage[]
  /** Null without messages. */
  readonly selectedId: string | null
}

export const emptyTree: MessageTree = { messages: [], selectedId: null }

/**
 * A message whose parent is missing begins the conversation. An unknown selection selects the newest message. The
 * selected message may have children: its newest branch is then shown to its end.
 */
export function buildTree(
  messages: readonly ConversationMessage[],
  selectedId: string | null,
): MessageTree {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const sorted = parentsFirst([...byId.values()].toSorted(byAge), byId)
  const start = selectedId !== null && byId.has(selectedId) ? selectedId : newestOf(sorted)
  return { messages: sorted, selectedId: start === null ? null : leafBelow(sorted, start) }
}

/** The messages from the beginning to the selected leaf. */
export function selectedBranch({ messages, selectedId }: MessageTree): ConversationMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const branch: ConversationMessage[] = []
  let at = selectedId === null ? undefined : byId.get(selectedId)
  while (at !== undefined) {
    branch.push(at)
    at = at.parent_id === null ? undefined : byId.get(at.parent_id)
  }
  return branch.toReversed()
}

const indexes = new WeakMap<MessageTree, ReadonlyMap<string, ConversationMessage>>()

export function findMessage(tree: MessageTree, id: string): ConversationMessage | undefined {
  let index = indexes.get(tree)
  if (index === undefined) {
    index = new Map(tree.messages.map((message) => [message.id, message]))
    indexes.set(tree, index)
  }
  return index.get(id)
}

const childIndexes = new WeakMap<
  MessageTree,
  ReadonlyMap<string | null, readonly ConversationMessage[]>
>()

/** The messages that follow a message, oldest first; with null, those that begin the conversation. */
export function childrenOf(tree: MessageTree, id: string | null): readonly ConversationMessage[] {
  let index = childIndexes.get(tree)
  if (index === undefined) {
    index = Map.groupBy(tree.messages, ({ parent_id }) => parent_id)
    childIndexes.set(tree, index)
  }
  return index.get(id) ?? []
}

/** The alternatives to a message, itself included, oldest first. */
export function siblingsOf(tree: MessageTree, id: string): readonly ConversationMessage[] {
  const message = findMessage(tree, id)
  return message === undefined ? [] : childrenOf(tree, message.parent_id)
}

/** Adds a message, or replaces the one with its id, and selects the branch that it ends. */
export function addMessage(tree: MessageTree, message: ConversationMessage): MessageTree {
  const others = tree.messages.filter(({ id }) => id !== message.id)
  return buildTree([...others, message], message.id)
}

/** Changes a message where it is; the selection stays. */
export function changeMessage(
  tree: MessageTree,
  id: string,
  change: Partial<Omit<ConversationMessage, 'id' | 'parent_id'>>,
): MessageTree {
  const messages = tree.messages.map((one) => (one.id === id ? { ...one, ...change } : one))
  return { ...tree, messages }
}

/** Gives a message its id of the service. */
export function renameMessage(tree: MessageTree, id: string, newId: string): MessageTree {
  if (id === newId || tree.messages.every((one) => one.id !== id)) return tree
  const messages = tree.messages
    .filter((one) => one.id !== newId)
    .map((one) => ({
      ...one,
      id: one.id === id ? newId : one.id,
      parent_id: one.parent_id === id ? newId : one.parent_id,
    }))
  return buildTree(messages, tree.selectedId === id ? newId : tree.selectedId)
}

/** Takes back a message that the service refused. Only for messages without children. */
export function withdrawMessage(tree: MessageTree, id: string): MessageTree {
  const message = tree.messages.find((one) => one.id === id)
  if (message === undefined || tree.messages.some(({ parent_id }) => parent_id === id)) return tree
  const messages = tree.messages.filter((one) => one.id !== id)
  const selectedId = tree.selectedId === id ? message.parent_id : tree.selectedId
  return buildTree(messages, selectedId)
}

export function selectLeaf(tree: MessageTree, id: string): MessageTree {
  return tree.selectedId === id ? tree : buildTree(tree.messages, id)
}

function byAge(one: ConversationMessage, other: ConversationMessage): number {
  return compare(one.created_at, other.created_at) || compare(one.id, other.id)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Detaches orphans and cycles, which a service must not return and a page must survive. */
function parentsFirst(
  sorted: readonly ConversationMessage[],
  byId: ReadonlyMap<string, ConversationMessage>,
): ConversationMessage[] {
  const placed = new Set<string>()
  const result: ConversationMessage[] = []
  for (const message of sorted) {
    const above: ConversationMessage[] = []
    const onPath = new Set<string>()
    let at: ConversationMessage | undefined = message
    while (at !== undefined && !placed.has(at.id) && !onPath.has(at.id)) {
      above.push(at)
      onPath.add(at.id)
      at = at.parent_id === null ? undefined : byId.get(at.parent_id)
    }
    for (const one of above.toReversed()) {
      const hasParent = one.parent_id !== null && placed.has(one.parent_id)
      result.push(hasParent || one.parent_id === null ? one : { ...one, parent_id: null })
      placed.add(one.id)
    }
  }
  return result
}

function newestOf(sorted: readonly ConversationMessage[]): string | null {
  return sorted.toSorted(byAge).at(-1)?.id ?? null
}

function leafBelow(sorted: readonly ConversationMessage[], id: string): string {
  const newestChild = new Map<string, ConversationMessage>()
  for (const message of sorted) {
    if (message.parent_id === null) continue
    const other = newestChild.get(message.parent_id)
    if (other === undefined || byAge(other, message) < 0)
      newestChild.set(message.parent_id, message)
  }
  let leaf = id
  for (let at = newestChild.get(leaf); at !== undefined; at = newestChild.get(leaf)) leaf = at.id
  return leaf
}
