import type { Blueprint } from '@assay/contract/blueprint.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { agentDrafts, emptyDraft } from '../../api/agent-drafts.ts'
import { useStoredDraft } from '../../parts/use-stored-draft.ts'
import { useProject } from '../../shell/use-project.ts'
import { toAgentConfig } from './blueprint-agent.ts'
import { LocalConfirm } from './LocalConfirm.tsx'

interface Props {
  readonly blueprint: Blueprint
}

/** Makes the agent of the blueprint the agent of the cost calculator. */
export function SendToCalculator({ blueprint }: Props) {
  const { project } = useProject()
  const { draft, replaceDraft } = useStoredDraft(agentDrafts)
  const replacing = useDialog<null>()
  const navigate = useNavigate()
  const agent = toAgentConfig(blueprint)
  const isOther = draft !== emptyDraft && JSON.stringify(draft.agent) !== JSON.stringify(agent)

  function send(): void {
    replaceDraft({ agent })
    void navigate({
      to: '/p/$projectId/cost-calculator/agent',
      params: { projectId: project.id },
    })
  }
  return (
    <>
      <Button
        rightSection={<IconArrowRight size={14} />}
        onClick={() => (isOther ? replacing.open(null) : send())}
      >
        Send to the cost calculator
      </Button>
      <LocalConfirm
        dialog={replacing}
        title="Replace the agent of the cost calculator?"
        confirmLabel="Replace agent"
        onConfirm={send}
      >
        The cost calculator already has an agent, which is in this browser only. Runs that were
        generated from it keep theirs.
      </LocalConfirm>
    </>
  )
}
