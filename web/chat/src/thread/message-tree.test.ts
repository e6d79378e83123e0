import type { ConversationMessage } from '@assay/contract/conversations.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleMessage } from '../../test/sample-message.ts'
import {
  addMessage,
  buildTree,
  changeMessage,
  type MessageTree,
  renameMessage,
  selectedBranch,
  selectLeaf,
  siblingsOf,
  withdrawMessage,
} from './message-tree.ts'

const ids = (messages: readonly ConversationMessage[]) => messages.map(({ id }) => id)

/** Each message hangs below an earlier one or begins the conversation; the time of some is the same. */
const conversation = fc
  .array(fc.record({ parent: fc.nat(), isFirst: fc.boolean(), at: fc.nat({ max: 5 }) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((rows) => {
    let time = 0
    return rows.map(({ parent, isFirst, at }, place) => {
      time += at
      return sampleMessage(`m${String(place).padStart(2, '0')}`, {
        parent_id: isFirst || place === 0 ? null : `m${String(parent % place).padStart(2, '0')}`,
        created_at: new Date(Date.UTC(2026, 10, 20) + time * 1000).toISOString(),
      })
    })
  })

function isLeaf({ messages }: MessageTree, id: string): boolean {
  return messages.every(({ parent_id }) => parent_id !== id)
}

describe('a message tree', () => {
  test('does not depend on the order in which messages arrive', () => {
    fc.assert(
      fc.property(
        conversation.chain((messages) =>
          fc.tuple(
            fc.constant(messages),
            fc.shuffledSubarray(messages, { minLength: messages.length }),
          ),
        ),
        ([messages, shuffled]) => {
          expect(buildTree(shuffled, null)).toEqual(buildTree(messages, null))
        },
      ),
    )
  })

  test('shows any message on a branch that is joined from the beginning to a leaf', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (messages, place) => {
        const picked = messages[place % messages.length] as ConversationMessage
        const tree = buildTree(messages, picked.id)
        const branch = selectedBranch(tree)
        expect(ids(branch)).toContain(picked.id)
        expect(branch[0]?.parent_id).toBeNull()
        for (const [at, message] of branch.entries()) {
          if (at > 0) expect(message.parent_id).toBe(branch[at - 1]?.id)
        }
        expect(isLeaf(tree, branch.at(-1)?.id ?? '')).toBe(true)
      }),
    )
  })

  test('keeps every message when one is added, changed, renamed or selected', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (messages, place) => {
        const picked = messages[place % messages.length] as ConversationMessage
        const tree = buildTree(messages, null)
        const all = ids(tree.messages)
        const added = addMessage(tree, sampleMessage('new', { parent_id: picked.id }))
        expect(ids(added.messages).toSorted()).toEqual([...all, 'new'].toSorted())
        expect(added.selectedId).toBe('new')
        expect(ids(selectLeaf(tree, picked.id).messages)).toEqual(all)
        expect(ids(changeMessage(tree, picked.id, { content: 'x' }).messages)).toEqual(all)
        const renamed = renameMessage(tree, picked.id, 'renamed')
        expect(ids(renamed.messages).toSorted()).toEqual(
          all.map((id) => (id === picked.id ? 'renamed' : id)).toSorted(),
        )
        expect(withdrawMessage(added, 'new').messages).toEqual(tree.messages)
      }),
    )
  })

  test('steps to a sibling and back to the same later turns (case 12)', () => {
    const tree = buildTree(
      [
        sampleMessage('q1'),
        sampleMessage('a1', { parent_id: 'q1' }),
        sampleMessage('a2', { parent_id: 'q1', created_at: '2026-11-20T10:01:00Z' }),
        sampleMessage('q2', { parent_id: 'a1', created_at: '2026-11-20T10:02:00Z' }),
        sampleMessage('a3', { parent_id: 'q2', created_at: '2026-11-20T10:03:00Z' }),
      ],
      'a3',
    )
    expect(ids(siblingsOf(tree, 'a1'))).toEqual(['a1', 'a2'])
    const other = selectLeaf(tree, 'a2')
    expect(ids(selectedBranch(other))).toEqual(['q1', 'a2'])
    expect(ids(selectedBranch(selectLeaf(other, 'a1')))).toEqual(['q1', 'a1', 'q2', 'a3'])
  })

  test('selects the remembered leaf, and without one the newest message (case 14)', () => {
    const messages = [
      sampleMessage('q1'),
      sampleMessage('a1', { parent_id: 'q1' }),
      sampleMessage('a2', { parent_id: 'q1', created_at: '2026-11-20T10:01:00Z' }),
    ]
    expect(buildTree(messages, 'a1').selectedId).toBe('a1')
    expect(buildTree(messages, null).selectedId).toBe('a2')
    expect(buildTree(messages, 'gone').selectedId).toBe('a2')
  })

  test('shows orphans and cycles as beginnings', () => {
    const messages = [
      sampleMessage('orphan', { parent_id: 'missing' }),
      sampleMessage('x', { parent_id: 'y' }),
      sampleMessage('y', { parent_id: 'x' }),
    ]
    const tree = buildTree(messages, 'x')
    expect(ids(tree.messages).toSorted()).toEqual(['orphan', 'x', 'y'])
    expect(selectedBranch(tree).length).toBeGreaterThan(0)
  })

  test('does not withdraw a message that has children', () => {
    const tree = buildTree([sampleMessage('q1'), sampleMessage('a1', { parent_id: 'q1' })], null)
    expect(withdrawMessage(tree, 'q1')).toBe(tree)
  })
})
