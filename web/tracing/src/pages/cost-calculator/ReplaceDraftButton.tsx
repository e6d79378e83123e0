import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { hashKey, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AgentDraft, emptyDraft } from '../../api/agent-drafts.ts'
import { useDraft } from './use-draft.ts'

interface Props {
  readonly next: AgentDraft
  /** The question and the action that answers it, if an entered agent would be lost. */
  readonly question: string
  readonly confirmLabel: string
  readonly onDone: () => void
  readonly size?: 'sm'
  readonly children: ReactNode
}

/** Replaces the entered agent, after a question if there is another one. */
export function ReplaceDraftButton(props: Props) {
  const { next, question, confirmLabel, onDone, size = 'xs', children } = props
  const { draft, replaceDraft } = useDraft()
  const dialog = useDialog<AgentDraft>()
  const replace = (target: AgentDraft) => {
    replaceDraft(target)
    onDone()
  }
  const losesNothing = isSame(draft, emptyDraft) || isSame(draft, next)
  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={() => (losesNothing ? replace(next) : dialog.open(next))}
      >
        {children}
      </Button>
      <ConfirmDialog
        dialog={dialog}
        mutation={useMutation({ mutationFn: () => Promise.resolve() })}
        variables={() => undefined}
        title={question}
        confirmLabel={confirmLabel}
        onDone={replace}
      >
        The agent that you have entered in this browser is lost. Runs that were generated from it
        keep their copy.
      </ConfirmDialog>
    </>
  )
}

const isSame = (one: AgentDraft, other: AgentDraft) => hashKey([one]) === hashKey([other])
