import type { ReactNode } from 'react'
import type { ConfirmProps } from './ConfirmModal.tsx'
import { lazyDialog } from './lazy-part.tsx'

const Loaded = lazyDialog(() => import('./ConfirmModal.tsx').then((file) => file.ConfirmModal))

/**
 * Confirms a mutation that is hard to undo, and runs it: the dialog shows its pending state or error, and
 * closes on success. Open it with the state of `useDialog`.
 */
export function ConfirmDialog<Target, Variables>(
  props: ConfirmProps<Target, Variables>,
): ReactNode {
  // A component with type parameters has others once it is lazy.
  return <Loaded {...(props as unknown as ConfirmProps<unknown, unknown>)} />
}
