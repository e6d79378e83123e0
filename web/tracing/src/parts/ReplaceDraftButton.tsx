import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button, type ButtonProps } from '@mantine/core'
import { hashKey, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AgentDraft, agentDrafts, emptyDraft } from '../api/agent-drafts.ts'
import { useStoredDraft } from './use-stored-draft.ts'

interface Props extends Pick<ButtonProps, 'size' | 'variant' | 'rightSection'> {
  readonly next: AgentDraft
  /** The question and the action that answers it, if an entered agent would be lost. */
  readonly question: string
  readonly confirmLabel: string
  readonly onDone: () => void
  readonly children: ReactNode
}

/** Replaces the entered agent, after a question if there is another one. */
export function ReplaceDraftButton(props: Props) {
  const { next, question, confirmLabel, onDone, children, ...button } = props
  const { draft, replaceDraft } = useStoredDraft(agentDrafts)
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
        {...button}
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
