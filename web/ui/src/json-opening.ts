import { type Member, membersOf, toContainer } from './json-members.ts'

/*
 * Which arrays and objects of a JSON value are open before the user chooses: as many as fit, level by level, and all
 * that lead to the texts of messages.
 */

const openedRows = 60
/** Of one array or object. */
const membersVisited = 80
const totalVisited = 2000
const depthVisited = 50
const textNames: ReadonlySet<string> = new Set(['content', 'text'])

export function initiallyOpen(value: unknown): ReadonlySet<object> {
  const open = new Set<object>()
  if (toContainer(value) === undefined) return open
  const textHolders = findTextHolders(value as object)
  const queue = [value as object]
  let rows = 1
  for (const inner of queue) {
    const size = toContainer(inner)?.size ?? 0
    const isOpen = inner === value || rows + size < openedRows || textHolders.has(inner)
    if (!isOpen) continue
    open.add(inner)
    rows += size + 1
    for (const member of firstMembers(inner)) {
      if (toContainer(member.value) !== undefined) queue.push(member.value as object)
    }
  }
  return open
}

/** All that contain a text of a message at any depth, as far as they are visited. */
function findTextHolders(root: object): ReadonlySet<object> {
  const holders = new Set<object>()
  let visited = 0
  function visit(inner: object, depth: number): boolean {
    let isHolder = false
    for (const { name = '', value } of firstMembers(inner)) {
      visited += 1
      if (visited > totalVisited) break
      if (typeof value === 'string') isHolder ||= textNames.has(name) && value !== ''
      else if (toContainer(value) !== undefined && depth < depthVisited) {
        isHolder = visit(value as object, depth + 1) || isHolder
      }
    }
    if (isHolder) holders.add(inner)
    return isHolder
  }
  visit(root, 0)
  return holders
}

function* firstMembers(inner: object): Generator<Member, undefined> {
  let visited = 0
  for (const member of membersOf('', inner)) {
    if (visited === membersVisited) return
    visited += 1
    yield member
  }
}
