import { expect, test } from 'vitest'
import { runState } from './run-labels.ts'

test('the state of a run is what this tab does with it, else what was read', () => {
  const draft = { status: 'draft', is_generating: false } as const
  const own = (activity: 'generating' | 'executing', isActive = true) => ({ activity, isActive })
  expect(runState({ ...draft, status: 'partial' }, own('executing'))).toBe('in progress')
  expect(runState(draft, own('generating'))).toBe('writing scenarios')
  expect(runState({ ...draft, is_generating: true }, undefined)).toBe('writing scenarios')
  expect(runState({ ...draft, status: 'partial' }, own('executing', false))).toBe('stopped early')
  expect(runState({ ...draft, status: 'running' }, undefined)).toBe('in progress')
  expect(runState(draft, undefined)).toBe('draft')
})
