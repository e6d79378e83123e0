import { expect, test } from 'vitest'
import { openMemberQueue } from '../../../platform/member-queue.ts'
import { takeGroup } from './take-group.ts'
import type { Batch } from './writer.ts'

interface Item {
  /** By default, one of its own. */
  readonly organizationId?: string
  readonly projectId: string
  readonly costMs: number
}

/** The projects of the batches of each group, stored in turn until none waits. `arriving` come at `atMs`. */
function storeInGroups(
  items: readonly Item[],
  arriving: readonly Item[] = [],
  atMs = 0,
): string[][] {
  const waiting = openMemberQueue<Item>()
  const arrived = [...arriving]
  let nowMs = 0
  const add = (added: readonly Item[]) => {
    for (const item of added)
      waiting.add([item.organizationId ?? item.projectId, item.projectId], item)
  }
  const findBatch = ({ projectId }: Item): Batch => ({
    ...{ signal: 'logs', projectId, source: 'otlp', parts: [new Uint8Array(1000)] },
    ...{ labels: null, idempotency: null },
  })
  const receive = () => add(nowMs < atMs ? [] : arrived.splice(0))
  const options = { waiting, findBatch, receive, monotonicMs: () => nowMs }
  const groups: string[][] = []
  add(items)
  for (let first = waiting.take(); first !== undefined; first = waiting.take()) {
    const group: NonNullable<typeof first>[] = []
    const projects: string[] = []
    for (const { projectId } of takeGroup(first, group, options)) {
      projects.push(projectId)
      nowMs += group.at(-1)?.item.costMs ?? 0
    }
    for (const { item, charge } of group) charge(item.costMs)
    groups.push(projects)
  }
  return groups
}

const batches = (projectId: string, count: number, costMs: number): Item[] =>
  Array.from({ length: count }, () => ({ projectId, costMs }))

test('costly batches of one project are stored in long groups', () => {
  const groups = storeInGroups(batches('a', 12, 10))
  expect(groups.map(({ length }) => length)).toEqual([6, 6])
})

test('a batch that arrives during a costly one of another project is stored next, and the group ends', () => {
  const groups = storeInGroups(batches('busy', 12, 10), batches('quiet', 1, 1))
  expect(groups[0]).toEqual(['busy', 'quiet'])
})

test('a batch waits for few costly ones of another project that waits as well', () => {
  const groups = storeInGroups([...batches('busy', 30, 10), ...batches('quiet', 3, 1)])
  for (const group of groups.filter((projects) => projects.includes('quiet'))) {
    expect(group.filter((projectId) => projectId === 'busy').length).toBeLessThanOrEqual(2)
  }
  expect(groups.flat()).toHaveLength(33)
})

test('cheap batches of many projects share a group', () => {
  const projects = Array.from({ length: 15 }, (_, n) => batches(`project ${n}`, 1, 1))
  expect(storeInGroups(projects.flat())).toHaveLength(1)
})

test('a batch that arrives while others cost less than expected is stored next', () => {
  const costs = [
    50,
    ...Array.from({ length: 20 }, () => 1),
    10,
    ...Array.from({ length: 20 }, () => 1),
  ]
  const items = costs.map((costMs) => ({ projectId: 'busy', costMs }))
  const order = storeInGroups(items, batches('quiet', 1, 1), 80).flat()
  expect(order.indexOf('quiet')).toBe(costs.indexOf(10) + 1)
})

test('projects of one organization wait for their organization, not for each other', () => {
  const many = Array.from({ length: 30 }, (_, n) => ({
    ...{ projectId: `p${n}`, organizationId: 'many', costMs: 10 },
  }))
  const order = storeInGroups([...many, ...batches('quiet', 3, 1)]).flat()
  expect(order.lastIndexOf('quiet')).toBeLessThan(8)
})
